import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const listEvalSuites = defineOperation({
  operationId: 'listEvalSuites',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-suites',
  tag: 'Eval suites',
  summary: 'List the eval suites of a project',
  description: 'Newest first, each with its latest run.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.EvalSuitePage,
});
