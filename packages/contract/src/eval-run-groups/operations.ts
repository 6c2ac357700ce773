import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Eval runs';

export const createEvalRunGroup = defineOperation({
  operationId: 'createEvalRunGroup',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/eval-run-groups',
  tag,
  summary: 'Launch a suite on several targets',
  description:
    'Launches one run for each target, in the given order. All targets are checked first: a target that is not attached is 400, one that cannot be resolved is 409, and then nothing starts. The group occupies one slot of the open runs until its last run ends; 429 with details.reason CONCURRENT_RUN_LIMIT if no slot is free. Afterwards, a launch that fails does not stop the others. A repeated request with the same key returns the runs that were started and launches the others.',
  access: 'member',
  effect: 'runs',
  body: shapes.EvalRunGroupCreateRequest,
  idempotent: true,
  slow: true,
  status: 202,
  output: shapes.EvalRunGroupCreated,
  refusals: ['CONFLICT'],
});

export const getEvalRunGroup = defineOperation({
  operationId: 'getEvalRunGroup',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-run-groups/{runGroupId}',
  tag,
  summary: 'Read the runs of a group',
  description:
    'An addition of Proofmark beyond the specification. Only for groups that createEvalRunGroup launched; a runGroupId that was sent with single launches is only a label.',
  access: 'member',
  status: 200,
  output: shapes.EvalRunGroup,
});
