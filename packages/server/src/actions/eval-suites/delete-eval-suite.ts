/** Whoever made a suite may delete it, and so may everybody with manage; a suite that is being run stays. */
import { tierAllows } from '@proofmark/domain';
import { deleteSuite, hasOpenRun } from '../../storage/eval-suites.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { findSuite } from './find-suite.ts';

export const deleteEvalSuite: Action<'deleteEvalSuite'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const { project, caller } = context;
    const suite = await findSuite(sql, project.id, params.suiteId, 'forUpdate');
    if (suite.createdBy !== caller.account.id && !tierAllows(project.tier, 'manage')) {
      refuse({
        code: 'FORBIDDEN',
        message: 'Only who made this suite may delete it, or somebody with manage in this project.',
      });
    }
    if (await hasOpenRun(sql, suite.id)) {
      refuse({
        code: 'CONFLICT',
        message: 'A run of this suite is not over; wait for it or cancel it first.',
        details: { reason: 'RUN_IN_PROGRESS' },
      });
    }
    await deleteSuite(sql, suite.id);
    await recordAudit(sql, context, { action: 'evalSuite.deleted', subjectId: suite.id });
    return { id: suite.id, deleted: true };
  });
