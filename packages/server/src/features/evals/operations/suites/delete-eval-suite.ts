/**
 * Only the suite's creator or a caller with the manage tier may delete it. A suite with an open
 * run, launched or reported, is not deleted. Only a reporter can end a reported run, so an open one
 * blocks the deletion for only a day after its latest report.
 */
import { tierAllows } from '@proofmark/domain';
import { databaseNow } from '../../../../platform/database/database-now.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { deleteSuite, findOpenRun } from '../../store/eval-suites.ts';
import { findSuite } from './find-suite.ts';

export const deleteEvalSuite: Action<'deleteEvalSuite'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const { project, caller } = context;
    const suite = await findSuite(sql, project.id, params.suiteId, 'forUpdate');
    if (suite.createdBy !== caller.account.id && !tierAllows(project.tier, 'manage')) {
      refuse({
        code: 'FORBIDDEN',
        message: 'Only the creator of this suite or a member with the manage tier may delete it.',
      });
    }
    const now = await databaseNow(sql);
    const open = await findOpenRun(sql, suite.id, new Date(now.getTime() - dayMs));
    if (open !== undefined) {
      refuse({
        code: 'CONFLICT',
        message: notOver[open],
        details: { reason: 'RUN_IN_PROGRESS' },
      });
    }
    await deleteSuite(sql, suite.id);
    await recordAudit(sql, context, { action: 'evalSuite.deleted', subjectId: suite.id });
    return { id: suite.id, deleted: true };
  });

const dayMs = 24 * 60 * 60 * 1000;

const notOver = {
  launched: 'A run of this suite has not ended; wait for it or cancel it first.',
  reported:
    'A reported run of this suite is still open; finalize it first, or delete the suite 24 hours after the last report.',
};
