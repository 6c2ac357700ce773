import { notFound } from '@proofmark/domain';
import { findRun } from '../../storage/eval-runs.ts';
import { findWaiverInForce } from '../../storage/gate-waivers.ts';
import { type Action, refuse } from '../action.ts';
import { endRun } from './end-run.ts';
import { hasEnded, presentRun } from './present-run.ts';

export const cancelEvalRun: Action<'cancelEvalRun'> = async (context, { params }) => {
  const now = new Date();
  return context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, params.runId, 'forUpdate');
    if (run === undefined) return refuse(notFound);
    if (run.source === 'sdk') refuse(reportedElsewhere);
    if (!hasEnded(run)) await endRun(sql, run, 'cancelled');
    else if (run.status !== 'cancelled') refuse(hasEndedOtherwise(run.status));
    const [ended, waiver] = await Promise.all([
      findRun(sql, context.project.id, run.id),
      findWaiverInForce(sql, run.id, now),
    ]);
    return presentRun(ended ?? run, waiver, now);
  });
};

const reportedElsewhere = {
  code: 'CONFLICT',
  message: 'This run is executed elsewhere and only reported here; it cannot be cancelled.',
  details: { reason: 'RUN_REPORTED' },
} as const;

function hasEndedOtherwise(status: string) {
  return {
    code: 'CONFLICT',
    message: 'This run has ended already; there is nothing left to cancel.',
    details: { reason: 'RUN_ENDED', status },
  } as const;
}
