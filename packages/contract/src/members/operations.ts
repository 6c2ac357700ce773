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
  description: 'Oldest first. Only for owners and admins.',
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
  description:
    'Nobody can change or grant a role above their own. The last owner cannot be changed.',
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
    'Their sessions and their keys of this organization end at once. The last owner cannot be removed.',
  status: 200,
  output: shapes.MemberRemoved,
  refusals: ['CONFLICT'],
});

export const setMemberTier = defineOperation({
  ...common,
  operationId: 'setMemberTier',
  method: 'PUT',
  path: `${path}/{accountId}/tiers/{projectId}`,
  summary: 'Set the tier of a member in one project',
  description: 'Owners and admins of the organization have all rights without a tier.',
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
    'A disabled account cannot sign in, and its sessions and keys do not work. The caller must be allowed to remove the member from every organization of the account; the operator can do this for all accounts.',
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
  description: 'Takes effect at once. Open sign-in links end too; keys keep working.',
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
    'The password and all sessions end at once. The answer has a one-time link with which the member signs in and sets a new password.',
  status: 201,
  output: shapes.OneTimeLink,
});

const invitations = '/organizations/{organizationId}/invitations';

export const listInvitations = defineOperation({
  ...common,
  operationId: 'listInvitations',
  method: 'GET',
  path: invitations,
  summary: 'List the open invitations',
  description: 'Newest first. Only for owners and admins of the organization.',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.InvitationPage,
});

export const createInvitation = defineOperation({
  ...common,
  operationId: 'createInvitation',
  method: 'POST',
  path: invitations,
  summary: 'Invite a person to an organization',
  description:
    'The answer has a one-time link for the person, and states whether the service mailed it. Inviting the same address again creates a new link and ends the old one.',
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
  description: 'Its link stops working at once.',
  status: 200,
  output: shapes.InvitationWithdrawn,
});
