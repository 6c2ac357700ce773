import { Command } from 'commander';
import { addMemberCommand } from './admin/add-member.ts';
import { auditLogCommand } from './admin/audit-log.ts';
import { bootstrapCommand } from './admin/bootstrap.ts';
import { createKeyCommand } from './admin/create-key.ts';
import { createLinkCommand } from './admin/create-link.ts';
import { disableAccountCommand } from './admin/disable-account.ts';
import { enableAccountCommand } from './admin/enable-account.ts';
import { endSessionsCommand } from './admin/end-sessions.ts';
import { healthCommand } from './admin/health.ts';
import { inviteCommand } from './admin/invite.ts';
import { listInvitationsCommand } from './admin/list-invitations.ts';
import { listKeysCommand } from './admin/list-keys.ts';
import { listMembersCommand } from './admin/list-members.ts';
import { listOrganizationsCommand } from './admin/list-organizations.ts';
import { modelCommand } from './admin/model.ts';
import { quotasCommand } from './admin/quotas.ts';
import { removeMemberCommand } from './admin/remove-member.ts';
import { resetPasswordCommand } from './admin/reset-password.ts';
import { retentionCommand } from './admin/retention.ts';
import { revokeKeyCommand } from './admin/revoke-key.ts';
import { rotateScorerSecretCommand } from './admin/rotate-scorer-secret.ts';
import { rotateSecretKeyCommand } from './admin/rotate-secret-key.ts';
import { setFeatureCommand } from './admin/set-feature.ts';
import { setQuotaCommand } from './admin/set-quota.ts';
import { setRetentionCommand } from './admin/set-retention.ts';
import { setRoleCommand } from './admin/set-role.ts';
import { setTierCommand } from './admin/set-tier.ts';
import { spendingCommand } from './admin/spending.ts';
import { withdrawInvitationCommand } from './admin/withdraw-invitation.ts';

export function adminCommand(): Command {
  const group = new Command('admin').description(
    'operate people, keys, models, features, quotas and retention on the database of this host',
  );
  const commands = [
    bootstrapCommand(),
    listOrganizationsCommand(),
    createKeyCommand(),
    listKeysCommand(),
    revokeKeyCommand(),
    listMembersCommand(),
    inviteCommand(),
    listInvitationsCommand(),
    withdrawInvitationCommand(),
    addMemberCommand(),
    setRoleCommand(),
    setTierCommand(),
    removeMemberCommand(),
    disableAccountCommand(),
    enableAccountCommand(),
    endSessionsCommand(),
    resetPasswordCommand(),
    createLinkCommand(),
    setFeatureCommand(),
    setQuotaCommand(),
    quotasCommand(),
    setRetentionCommand(),
    retentionCommand(),
    modelCommand(),
    rotateScorerSecretCommand(),
    spendingCommand(),
    auditLogCommand(),
    rotateSecretKeyCommand(),
    healthCommand(),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
