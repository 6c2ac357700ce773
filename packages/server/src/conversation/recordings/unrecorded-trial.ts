import {
  authoredFacts,
  deriveChain,
  notRecordedMessage,
  type PlannedCase,
} from '@proofmark/domain';
import type { TrialRecord } from '../trial-record.ts';

export function unrecordedTrial(planned: PlannedCase): TrialRecord {
  const evidence = {
    authored: authoredFacts(planned),
    status: 'skipped' as const,
    diverged: true,
    tracePresent: false,
    executorEmitsSpans: true,
    spans: [],
    turns: [],
    assertions: [],
    toolErrors: [],
    renders: [],
  };
  return {
    status: 'skipped',
    result: null,
    evaluatorError: false,
    startedAtMs: Date.now(),
    durationMs: 0,
    usage: null,
    tokensUsed: null,
    expectedToolCalls: [],
    actualToolCalls: [],
    error: notRecordedMessage,
    scores: null,
    chain: deriveChain(evidence),
    evidence,
    refusedCalls: [],
    warnings: [],
    trace: { traceVersion: 1, messages: [] },
    toolSurface: null,
    widgets: null,
  };
}
