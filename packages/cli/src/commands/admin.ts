/** `proofmark admin …`: the operator's hand on the database of this host. */
import { Command } from 'commander';
import { addMember } from './admin/add-member.ts';
import { auditLog } from './admin/audit-log.ts';
import { bootstrap } from './admin/bootstrap.ts';
import { createKey } from './admin/create-key.ts';
import { createLink } from './admin/create-link.ts';
import { listKeys } from './admin/list-keys.ts';
import { revokeKey } from './admin/revoke-key.ts';
import { setFeature } from './admin/set-feature.ts';
import { setRole } from './admin/set-role.ts';
import { setTier } from './admin/set-tier.ts';

export function admin(): Command {
  const group = new Command('admin').description(
    'accounts, keys and features, on the database of this host',
  );
  const commands = [
    bootstrap(),
    createKey(),
    listKeys(),
    revokeKey(),
    addMember(),
    setRole(),
    setTier(),
    setFeature(),
    createLink(),
    auditLog(),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
