import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Gate waivers';
const path = '/projects/{projectId}/eval-runs/{runId}/gate-waivers';

export const createGateWaiver = defineOperation({
  operationId: 'createGateWaiver',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Waive the gate of a failing run',
  description:
    'Only for a run with the verdict failed; its result does not change. 409 with the current waiver if one is in force. Needs manage.',
  access: 'manage',
  body: shapes.GateWaiverCreateRequest,
  status: 201,
  output: shapes.GateWaiverCreated,
  refusals: ['CONFLICT'],
});

export const getGateWaiver = defineOperation({
  operationId: 'getGateWaiver',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'Read the waiver in force',
  description: 'The field waiver is null if none is in force.',
  access: 'member',
  status: 200,
  output: shapes.GateWaiverInForce,
});

export const revokeGateWaiver = defineOperation({
  operationId: 'revokeGateWaiver',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{waiverId}`,
  tag,
  summary: 'Revoke a waiver',
  description: 'Revoking again returns the first revocation. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.GateWaiverRevoked,
});
