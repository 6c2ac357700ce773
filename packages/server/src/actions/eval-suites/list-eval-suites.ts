import * as evalSuites from '../../storage/eval-suites/eval-suites.ts';
import { type Action, presentPage } from '../action.ts';
import { presentSuite } from './present-suite.ts';

export const listEvalSuites: Action<'listEvalSuites'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => evalSuites.readSuites(sql, context.project.id, page)),
    presentSuite,
  );
