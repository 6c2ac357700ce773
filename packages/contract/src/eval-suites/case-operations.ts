import { defineOperation } from '../operation.ts';
import { EvalDeleted } from './authoring-shapes.ts';
import * as shapes from './case-shapes.ts';
import { EvalCaseGenerated, EvalCaseGenerateRequest } from './generation-shapes.ts';

const tag = 'Eval suites';
const path = '/projects/{projectId}/eval-suites/{suiteId}/cases';

export const listEvalCases = defineOperation({
  operationId: 'listEvalCases',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the cases of a suite',
  description: 'In their order. Cases that only reports know are not among them.',
  access: 'member',
  page: { defaultLimit: 100, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.EvalCasePage,
});

export const createEvalCase = defineOperation({
  operationId: 'createEvalCase',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Add a case to a suite',
  description: '409 when the suite has a case of this id, or 500 cases.',
  access: 'member',
  body: shapes.EvalCaseCreateRequest,
  largestBodyBytes: 1_000_000 + shapes.largestRowsBytes,
  slow: true,
  status: 201,
  output: shapes.EvalCaseWritten,
  refusals: ['CONFLICT'],
});

export const createEvalCases = defineOperation({
  operationId: 'createEvalCases',
  surface: 'api',
  method: 'POST',
  path: `${path}/batch`,
  tag,
  summary: 'Add several cases to a suite',
  description: 'Each case for itself: those that cannot be added are listed in failed, with why.',
  access: 'member',
  body: shapes.EvalCasesBatchCreateRequest,
  largestBodyBytes: 1_000_000 + shapes.largestRowsBytes,
  slow: true,
  idempotent: true,
  status: 201,
  output: shapes.EvalCasesBatchResult,
});

export const generateEvalCases = defineOperation({
  operationId: 'generateEvalCases',
  surface: 'api',
  method: 'POST',
  path: `${path}/generate`,
  tag,
  summary: 'Draft cases from the tools of servers and add them to a suite',
  description:
    'Connects to the servers, drafts cases for their tools and stores them. With an idempotency key a retry stores the same cases and spends nothing.',
  access: 'member',
  body: EvalCaseGenerateRequest,
  idempotent: true,
  outbound: true,
  status: 200,
  output: EvalCaseGenerated,
  refusals: [
    'CONFLICT',
    'FEATURE_NOT_SUPPORTED',
    'OAUTH_REQUIRED',
    'SERVER_UNREACHABLE',
    'TIMEOUT',
  ],
});

export const getEvalCase = defineOperation({
  operationId: 'getEvalCase',
  surface: 'api',
  method: 'GET',
  path: `${path}/{caseId}`,
  tag,
  summary: 'Read a case',
  description: 'As it was authored.',
  access: 'member',
  status: 200,
  output: shapes.EvalCase,
});

export const updateEvalCase = defineOperation({
  operationId: 'updateEvalCase',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{caseId}`,
  tag,
  summary: 'Edit a case',
  description: 'Its declared id stays.',
  access: 'member',
  body: shapes.EvalCaseUpdateRequest,
  largestBodyBytes: 1_000_000 + shapes.largestRowsBytes,
  slow: true,
  status: 200,
  output: shapes.EvalCaseWritten,
  refusals: ['CONFLICT'],
});

export const deleteEvalCase = defineOperation({
  operationId: 'deleteEvalCase',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{caseId}`,
  tag,
  summary: 'Delete a case',
  description: 'Its trials stay with their runs.',
  access: 'member',
  status: 200,
  output: EvalDeleted,
});
