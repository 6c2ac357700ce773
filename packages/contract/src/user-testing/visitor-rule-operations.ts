import { defineOperation } from '../operation.ts';
import * as guest from './guest-execution-shapes.ts';
import * as members from './member-shapes.ts';

const tag = 'User testing';
const path = '/projects/{projectId}/user-testing/scenarios/{scenarioId}';

export const setGuestExecution = defineOperation({
  operationId: 'setGuestExecution',
  surface: 'api',
  method: 'PUT',
  path: `${path}/guest-execution`,
  tag,
  summary: 'Say what visitors without an account may spend',
  description:
    'Replaces all of it. Models that cost nothing are allowed whatever is set. Needs admin.',
  access: 'admin',
  feature: 'user-testing',
  body: guest.GuestExecutionRequest,
  status: 200,
  output: guest.GuestExecutionAnswer,
});

export const listScenarioMembers = defineOperation({
  operationId: 'listScenarioMembers',
  surface: 'api',
  method: 'GET',
  path: `${path}/members`,
  tag,
  summary: 'List who is invited to a scenario',
  description:
    'An addition of Proofmark beyond the specification. Oldest first, without removed ones. Needs manage.',
  access: 'manage',
  status: 200,
  output: members.ScenarioMemberList,
});

export const upsertScenarioMember = defineOperation({
  operationId: 'upsertScenarioMember',
  surface: 'api',
  method: 'PUT',
  path: `${path}/members`,
  tag,
  summary: 'Invite an address to a scenario',
  description:
    'Counts in the mode invited_only. Again: a new one-time link, and the one before is dead. A mail goes out where one is asked for and the operator set up mail. Needs manage.',
  access: 'manage',
  feature: 'user-testing',
  body: members.ScenarioMemberRequest,
  slow: true,
  status: 200,
  output: members.InvitedScenarioMember,
});

export const removeScenarioMember = defineOperation({
  operationId: 'removeScenarioMember',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/members/{memberIdOrEmail}`,
  tag,
  summary: 'Remove an invited address from a scenario',
  description: 'They are out with the answer, unless anybody with the link gets in. Needs manage.',
  access: 'manage',
  feature: 'user-testing',
  status: 200,
  output: members.ScenarioMemberRemoved,
});
