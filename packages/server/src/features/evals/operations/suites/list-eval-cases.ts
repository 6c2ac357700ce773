import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import { listCases } from '../../store/eval-cases.ts';
import { findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';

export const listEvalCases: Action<'listEvalCases'> = async (context, { params, page }) =>
  context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, params.suiteId);
    return presentPage(await listCases(sql, suite.id, page), presentCase);
  });
