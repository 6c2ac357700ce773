/** What of a run can be run again: only of one that ended and was launched here. */
import type { EvalRun } from '@proofmark/contract';
import type { RerunScope } from '@proofmark/domain';
import { isRunEnded } from './follow-run.ts';

export const rerunWords: Readonly<Record<RerunScope, string>> = {
  failed: 'Run failed again',
  notGraded: 'Run ungraded again',
  all: 'Run all again',
};

export function rerunOffers({
  status,
  source,
  summary,
}: Pick<EvalRun, 'status' | 'source' | 'summary'>): RerunScope[] {
  if (!isRunEnded(status) || source === 'sdk') return [];
  const { total = 0, passed = 0, failed = 0 } = summary ?? {};
  return [
    ...(failed > 0 ? (['failed'] as const) : []),
    ...(total > passed + failed ? (['notGraded'] as const) : []),
  ];
}
