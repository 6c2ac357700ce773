import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Quarantine';
const path = '/projects/{projectId}/eval-suites/{suiteId}/quarantine';

export const listEvalQuarantine = defineOperation({
  operationId: 'listEvalQuarantine',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the quarantine of a suite',
  description:
    'Entries of its file and of the API, the oldest first, until somebody deletes them. Also those that no longer hold.',
  access: 'member',
  status: 200,
  output: shapes.Quarantine,
});

export const createEvalQuarantineEntry = defineOperation({
  operationId: 'createEvalQuarantineEntry',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Put a case variant into quarantine',
  description:
    'It is played and measured as ever, and verdicts stay; only the gate lets it fail. 409 with the entry that holds for it already, or if the quarantine is full. Needs manage.',
  access: 'manage',
  body: shapes.QuarantineCreateRequest,
  status: 201,
  output: shapes.QuarantineCreated,
  refusals: ['CONFLICT'],
});

export const removeEvalQuarantineEntry = defineOperation({
  operationId: 'removeEvalQuarantineEntry',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{entryId}`,
  tag,
  summary: 'Lift the quarantine of a case variant',
  description:
    'Doing it again reports the first time. 409 for an entry of the suite file, which is deleted there. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.QuarantineRemoved,
  refusals: ['CONFLICT'],
});
