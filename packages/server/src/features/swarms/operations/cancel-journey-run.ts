import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { endJourneyRun } from './end-journey-run.ts';
import { findJourneyRun } from './find-journey-run.ts';

export const cancelJourneyRun: Action<'cancelJourneyRun'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const run = await findJourneyRun(sql, context.project.id, params.runId, 'forUpdate');
    const { id, status, canceled } = run;
    if (canceled) return { id, status, canceled, alreadyCanceled: true, finalized: 0 };
    if (status !== 'running') return refuse(hasEnded(status));
    const finalized = await endJourneyRun(sql, run, 'canceled');
    await recordAudit(sql, context, { action: 'journeyRun.canceled', subjectId: id });
    return { id, status: 'failed', canceled: true, alreadyCanceled: false, finalized };
  });

function hasEnded(status: string) {
  return {
    code: 'CONFLICT',
    message: 'This run has already ended, so it cannot be cancelled.',
    details: { reason: 'RUN_ENDED', status },
  } as const;
}
