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
  summary: 'Find out how much a suite notices',
  description:
    'Plays the suite as it is, then against servers that are changed in one thing at a time, and tells which changes no case noticed. It writes no run. One at a time for a suite; it takes the slot of a run.',
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
  summary: 'List the mutations of a suite',
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
  summary: 'Read a mutation of a suite',
  description: 'What is done so far, survivors first, each with an assertion that would notice it.',
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
  summary: 'Cancel a mutation of a suite',
  description:
    'What is done stays. One that is cancelled already answers the same again; one that ended otherwise gives 409.',
  access: 'member',
  effect: 'runs',
  status: 200,
  output: shapes.EvalMutation,
  refusals: ['CONFLICT'],
});
