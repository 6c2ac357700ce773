/**
 * Only the run's creator or a caller with the manage tier may delete the run. A run that is open or
 * being judged is not deleted.
 */
import { notFound, tierAllows } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { deleteRun, readRun } from '../../store/eval-runs.ts';
import { hasEnded } from './present-run.ts';

export const deleteEvalRun: Action<'deleteEvalRun'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const { project, caller } = context;
    const run = await readRun(sql, project.id, params.runId, 'forUpdate');
    if (run === undefined) return refuse(notFound);
    if (run.createdBy !== caller.account.id && !tierAllows(project.tier, 'manage')) {
      refuse({
        code: 'FORBIDDEN',
        message: 'Only the creator of this run or a member with the manage tier may delete it.',
      });
    }
    if (!hasEnded(run) || run.goalCompletion?.status === 'pending') {
      refuse({
        code: 'CONFLICT',
        message: 'This run has not ended; wait for it or cancel it first.',
        details: { reason: 'RUN_IN_PROGRESS' },
      });
    }
    await deleteRun(sql, run.id);
    await recordAudit(sql, context, { action: 'evalRun.deleted', subjectId: run.id });
    return { id: run.id, deleted: true };
  });
