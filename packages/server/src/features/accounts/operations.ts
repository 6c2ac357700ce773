import type { Operations } from '../../platform/operations/action.ts';
import type { AccountsParts } from './accounts-context.ts';
import { createApiKey } from './operations/create-api-key.ts';
import { createInvitation } from './operations/create-invitation.ts';
import { createProject } from './operations/create-project.ts';
import { deleteProject } from './operations/delete-project.ts';
import { endMemberSessions } from './operations/end-member-sessions.ts';
import { getMe } from './operations/get-me.ts';
import { getOrganizationRetention } from './operations/get-organization-retention.ts';
import { getOrganizationSpending } from './operations/get-organization-spending.ts';
import { getProjectCapabilities } from './operations/get-project-capabilities.ts';
import { listApiKeys } from './operations/list-api-keys.ts';
import { listAuditLog } from './operations/list-audit-log.ts';
import { listInvitations } from './operations/list-invitations.ts';
import { listMembers } from './operations/list-members.ts';
import { listOrganizations } from './operations/list-organizations.ts';
import { listProjects } from './operations/list-projects.ts';
import { removeMember } from './operations/remove-member.ts';
import { resetMemberPassword } from './operations/reset-member-password.ts';
import { revokeApiKey } from './operations/revoke-api-key.ts';
import { setMemberDisabled } from './operations/set-member-disabled.ts';
import { setMemberTier } from './operations/set-member-tier.ts';
import { updateMember } from './operations/update-member.ts';
import { updateProject } from './operations/update-project.ts';
import { withdrawInvitation } from './operations/withdraw-invitation.ts';

export const accountsOperations = {
  createApiKey,
  createInvitation,
  createProject,
  deleteProject,
  endMemberSessions,
  getMe,
  getOrganizationRetention,
  getOrganizationSpending,
  getProjectCapabilities,
  listApiKeys,
  listAuditLog,
  listInvitations,
  listMembers,
  listOrganizations,
  listProjects,
  removeMember,
  resetMemberPassword,
  revokeApiKey,
  setMemberDisabled,
  setMemberTier,
  updateMember,
  updateProject,
  withdrawInvitation,
} satisfies Operations<AccountsParts>;
