import type { Action } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { deleteCase } from '../../store/eval-cases.ts';
import { findCase } from './find-suite.ts';

export const deleteEvalCase: Action<'deleteEvalCase'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const { id, suiteId } = await findCase(sql, context.project.id, params, 'forNoKeyUpdate');
    await deleteCase(sql, id);
    const details = { suiteId };
    await recordAudit(sql, context, { action: 'evalCase.deleted', subjectId: id, details });
    return { id, deleted: true };
  });
