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
  summary: 'Set the spending limits of visitors without an account',
  description: 'Replaces all settings. Models without a cost are always allowed. Needs admin.',
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
  summary: 'List the people who are invited to a scenario',
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
  summary: 'Invite an e-mail address to a scenario',
  description:
    'Takes effect in the mode invited_only. Inviting again creates a new one-time link and ends the old one. A mail is sent if the request asks for it and the operator has set up mail. Needs manage.',
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
  description:
    'The person loses access at once, unless the link is open to everybody. Needs manage.',
  access: 'manage',
  feature: 'user-testing',
  status: 200,
  output: members.ScenarioMemberRemoved,
});
