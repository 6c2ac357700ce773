import type { Refusal } from '@proofmark/domain';

export function noBaseRun(baseRunId: string | undefined): Refusal {
  const message =
    baseRunId === undefined
      ? 'The suite has no completed run before this one; name the run to compare with.'
      : 'The run in baseRunId does not belong to this suite; name another to compare with.';
  return { code: 'NOT_FOUND', message, details: { reason: 'BASELINE_NOT_FOUND' } };
}
