/**
 * Members of an organization. Only signed-in owners and admins can use these operations, never API
 * keys.
 */
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const path = '/organizations/{organizationId}/members';
const common = { surface: 'console', tag: 'Members', access: 'account' } as const;

export const listMembers = defineOperation({
  ...common,
  operationId: 'listMembers',
  method: 'GET',
  path,
  summary: 'List the members of an organization',
  description: 'Oldest first, for its owners and admins.',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.MemberPage,
});

export const updateMember = defineOperation({
  ...common,
  operationId: 'updateMember',
  method: 'PATCH',
  path: `${path}/{accountId}`,
  summary: 'Change the role of a member',
  description: 'Nobody changes or gives a role above their own. The last owner stays.',
  body: shapes.MemberUpdateRequest,
  status: 200,
  output: shapes.Member,
  refusals: ['CONFLICT'],
});

export const removeMember = defineOperation({
  ...common,
  operationId: 'removeMember',
  method: 'DELETE',
  path: `${path}/{accountId}`,
  summary: 'Remove a member',
  description:
    'Their sessions and their keys of this organization end at once, on every process. The last owner stays.',
  status: 200,
  output: shapes.MemberRemoved,
  refusals: ['CONFLICT'],
});

export const setMemberTier = defineOperation({
  ...common,
  operationId: 'setMemberTier',
  method: 'PUT',
  path: `${path}/{accountId}/tiers/{projectId}`,
  summary: 'Say what a member may do in one project',
  description: 'Owners and admins of the organization may do everything anyway.',
  body: shapes.MemberTierRequest,
  status: 200,
  output: shapes.Member,
});

export const setMemberDisabled = defineOperation({
  ...common,
  operationId: 'setMemberDisabled',
  method: 'PUT',
  path: `${path}/{accountId}/disabled`,
  summary: 'Disable or enable the account of a member',
  description:
    'A disabled account cannot sign in, and none of its sessions and keys works. Needs the standing to remove the member from every organization they belong to; the operator has it for all.',
  body: shapes.MemberDisabledRequest,
  status: 200,
  output: shapes.Member,
  refusals: ['CONFLICT'],
});

export const endMemberSessions = defineOperation({
  ...common,
  operationId: 'endMemberSessions',
  method: 'DELETE',
  path: `${path}/{accountId}/sessions`,
  summary: 'End all sessions of a member',
  description: 'At once, on every process. Open sign-in links end too; keys go on.',
  status: 200,
  output: shapes.SessionsEnded,
});

export const resetMemberPassword = defineOperation({
  ...common,
  operationId: 'resetMemberPassword',
  method: 'POST',
  path: `${path}/{accountId}/password-reset`,
  summary: 'Reset the password of a member',
  description:
    'The password and all sessions end at once. The answer holds a one-time link with which the member signs in and sets another.',
  status: 201,
  output: shapes.OneTimeLink,
});

const invitations = '/organizations/{organizationId}/invitations';

export const listInvitations = defineOperation({
  ...common,
  operationId: 'listInvitations',
  method: 'GET',
  path: invitations,
  summary: 'List the invitations that were not taken yet',
  description: 'Newest first, for owners and admins of the organization.',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.InvitationPage,
});

export const createInvitation = defineOperation({
  ...common,
  operationId: 'createInvitation',
  method: 'POST',
  path: invitations,
  summary: 'Invite somebody to an organization',
  description:
    'The answer holds a one-time link to send to them, and says whether the service mailed it. Inviting the same address again makes a new link and ends the one before.',
  body: shapes.InvitationRequest,
  slow: true,
  status: 201,
  output: shapes.InvitationMade,
  refusals: ['CONFLICT'],
});

export const withdrawInvitation = defineOperation({
  ...common,
  operationId: 'withdrawInvitation',
  method: 'DELETE',
  path: `${invitations}/{invitationId}`,
  summary: 'Withdraw an invitation',
  description: 'Its link ends at once.',
  status: 200,
  output: shapes.InvitationWithdrawn,
});
