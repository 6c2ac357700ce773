import { deleteCase } from '../../storage/eval-suites/eval-cases.ts';
import type { Action } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { findCase } from './find-suite.ts';

export const deleteEvalCase: Action<'deleteEvalCase'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const { id, suiteId } = await findCase(sql, context.project.id, params, 'forNoKeyUpdate');
    await deleteCase(sql, id);
    const details = { suiteId };
    await recordAudit(sql, context, { action: 'evalCase.deleted', subjectId: id, details });
    return { id, deleted: true };
  });
