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
    'The entries of the suite file and of the API, oldest first, including those that are no longer in force, until they are deleted.',
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
    'The case is still played and measured, and verdicts do not change; only the gate lets it fail. 409 with the current entry if the case variant is already in quarantine, or if the quarantine is full. Needs manage.',
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
    'Lifting again returns the first removal. 409 for an entry of the suite file, which must be deleted in the file. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.QuarantineRemoved,
  refusals: ['CONFLICT'],
});
