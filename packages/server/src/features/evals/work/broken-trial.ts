/**
 * Builds a trial that failed because of Proofmark itself, and states that the failure says nothing
 * about the server. `reason` is the error of the last attempt, given only if no log contains it.
 */
import { authoredFacts, deriveChain, type PlannedCase } from '@proofmark/domain';
import type { TrialToWrite } from '../store/record-trials.ts';

export function brokenTrial(
  ordinal: number,
  planned: PlannedCase,
  tried: string,
  reason?: string,
): TrialToWrite {
  const last = reason === undefined ? '' : ` The last error: ${reason}`;
  const evidence = {
    authored: authoredFacts(planned),
    status: 'failed' as const,
    tracePresent: false,
    executorEmitsSpans: true,
    spans: [],
    turns: [],
    assertions: [],
    toolErrors: [],
    renders: [],
  };
  return {
    ordinal,
    status: 'failed',
    result: null,
    evaluatorError: false,
    startedAtMs: null,
    durationMs: null,
    tokensUsed: null,
    usage: null,
    actualToolCalls: [],
    error: `Proofmark itself could not run this trial; it tried ${tried}. This says nothing about the server.${last}`,
    scores: null,
    chain: deriveChain(evidence),
    toolSurface: null,
    trace: null,
    details: { evidence },
    spent: [],
  };
}
