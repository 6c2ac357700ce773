/**
 * Decides which parts of a run can be run again. Only ended runs that were launched in this
 * installation offer any.
 */
import type { EvalRun } from '@proofmark/contract';
import type { RerunScope } from '@proofmark/domain';
import { isRunEnded } from './follow-run.ts';
import { isPlayedHere } from './run-words.ts';

export const rerunWords: Readonly<Record<RerunScope, { action: string; plays: string }>> = {
  failed: { action: 'Rerun what failed', plays: 'every case variant with a failed trial' },
  notGraded: {
    action: 'Rerun what was not graded',
    plays: 'every case variant with a trial that was not graded',
  },
  all: { action: 'Rerun all', plays: 'every case variant' },
};

export function rerunOffers({
  status,
  source,
  summary,
}: Pick<EvalRun, 'status' | 'source' | 'summary'>): RerunScope[] {
  if (!isRunEnded(status) || !isPlayedHere({ source })) return [];
  const { total = 0, passed = 0, failed = 0 } = summary ?? {};
  return [
    ...(failed > 0 ? (['failed'] as const) : []),
    ...(total > passed + failed ? (['notGraded'] as const) : []),
    ...(total > 0 ? (['all'] as const) : []),
  ];
}
