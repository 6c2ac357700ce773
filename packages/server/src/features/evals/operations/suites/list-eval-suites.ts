import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import * as evalSuites from '../../store/eval-suites.ts';
import { presentSuite } from './present-suite.ts';

export const listEvalSuites: Action<'listEvalSuites'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => evalSuites.readSuites(sql, context.project.id, page)),
    presentSuite,
  );
