import type { TrialRecord } from '../../../conversation/trial-record.ts';
import type { TrialSpending } from '../../../platform/spending/store/paid-trials.ts';
import type { TrialToWrite } from '../store/record-trials.ts';

export function toWrite(
  ordinal: number,
  record: TrialRecord,
  spent: readonly TrialSpending[],
): TrialToWrite {
  return {
    ordinal,
    status: record.status,
    result: record.result,
    evaluatorError: record.evaluatorError,
    startedAtMs: record.startedAtMs,
    durationMs: record.durationMs,
    tokensUsed: record.tokensUsed,
    usage: record.usage,
    actualToolCalls: record.actualToolCalls,
    error: record.error,
    warnings: record.warnings.filter(({ code }) => !code.startsWith('AFTER_')),
    scores: record.scores,
    chain: record.chain,
    toolSurface: record.toolSurface,
    trace: record.trace,
    details: { evidence: record.evidence },
    widgets: record.widgets,
    refusedCalls: record.refusedCalls,
    spent,
  };
}
