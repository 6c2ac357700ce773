import { defineOperation } from '../operation.ts';
import * as shapes from './mutation-shapes.ts';

const tag = 'Eval suites';
const path = '/projects/{projectId}/eval-suites/{suiteId}/mutations';

export const createEvalSuiteMutation = defineOperation({
  operationId: 'createEvalSuiteMutation',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Start a mutation test of a suite',
  description:
    'Plays the suite unchanged, then against servers with one change at a time, and lists the changes that no case noticed. It creates no run. A suite can have one mutation test at a time; it occupies the slot of a run.',
  access: 'member',
  effect: 'runs',
  body: shapes.EvalMutationRequest,
  slow: true,
  status: 202,
  output: shapes.EvalMutationStarted,
  refusals: ['CONFLICT'],
});

export const listEvalSuiteMutations = defineOperation({
  operationId: 'listEvalSuiteMutations',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the mutation tests of a suite',
  description: 'Newest first, each with its score.',
  access: 'member',
  page: { defaultLimit: 25, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.EvalMutationPage,
});

export const getEvalSuiteMutation = defineOperation({
  operationId: 'getEvalSuiteMutation',
  surface: 'api',
  method: 'GET',
  path: `${path}/{mutationId}`,
  tag,
  summary: 'Read a mutation test of a suite',
  description: 'The results so far, survivors first, each with an assertion that would notice it.',
  access: 'member',
  status: 200,
  output: shapes.EvalMutation,
});

export const cancelEvalSuiteMutation = defineOperation({
  operationId: 'cancelEvalSuiteMutation',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{mutationId}`,
  tag,
  summary: 'Cancel a mutation test of a suite',
  description:
    'Results so far are kept. Cancelling again returns the same answer; a mutation test that ended otherwise is 409.',
  access: 'member',
  effect: 'runs',
  status: 200,
  output: shapes.EvalMutation,
  refusals: ['CONFLICT'],
});
