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
    'One run for each target, in their order. Every target is checked before any is launched: one that is not attached is 400, one that cannot be resolved is 409, and nothing has started then. The group holds one slot of the open runs until its last run has ended; 429 with details.reason CONCURRENT_RUN_LIMIT while none is free. Afterwards a launch that fails does not stop the others. With the same key again, runs that were started are answered again and the others are launched.',
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
    'An addition of Proofmark beyond the specification. Of a group that was launched as one; a runGroupId that single launches were given is a label and no group.',
  access: 'member',
  status: 200,
  output: shapes.EvalRunGroup,
});
