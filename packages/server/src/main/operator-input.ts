import { hostname, userInfo } from 'node:os';
import {
  isEmail,
  type OrganizationRole,
  organizationRoles,
  type ProjectTier,
  projectTiers,
} from '@proofmark/domain';
import { findAccountSecrets } from '../platform/accounts/store/accounts.ts';
import type { AuditActor } from '../platform/accounts/store/audit-log.ts';
import { findOrganization } from '../platform/accounts/store/organizations.ts';
import type { Database } from '../platform/database/database.ts';
import { BadSetting } from './setting.ts';

/**
 * Returns the operator for the audit log: the local user name, because every user who can reach the
 * database from this machine is the operator.
 */
export function operatorActor(): AuditActor {
  return { accountId: null, accountEmail: `${userName()}@${hostname()}`, callerKind: 'operator' };
}

/** In a container, the user id may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

export function operatorSearch(owner: Database) {
  return {
    async organizationOf(idOrName: string): Promise<string> {
      const [found, other] = await findOrganization(owner, idOrName);
      if (found === undefined) {
        throw new BadSetting(
          `There is no organization ${idOrName}; proofmark admin list-organizations shows all organizations.`,
        );
      }
      if (other !== undefined && found.id !== idOrName) {
        throw new BadSetting(
          `Several organizations are called ${idOrName}; use the id, for example ${found.id}.`,
        );
      }
      return found.id;
    },

    async accountOf(email: string): Promise<string> {
      const account = await findAccountSecrets(owner, { email });
      if (account === undefined) throw new BadSetting(`There is no account ${email}.`);
      return account.id;
    },
  };
}

export function checkedEmail(email: string): string {
  if (isEmail(email.trim())) return email;
  throw new BadSetting(`${email} is not an e-mail address.`);
}

export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= 200) return trimmed;
  throw new BadSetting('A name must have 1 to 200 characters.');
}

export function checkedRole(role: string): OrganizationRole {
  if (organizationRoles.includes(role as OrganizationRole)) return role as OrganizationRole;
  throw new BadSetting(`There is no role ${role}; the roles are ${organizationRoles.join(', ')}.`);
}

export function checkedTier(tier: string): ProjectTier | null {
  if (tier === 'none') return null;
  if (projectTiers.includes(tier as ProjectTier)) return tier as ProjectTier;
  throw new BadSetting(
    `There is no tier ${tier}; the tiers are ${projectTiers.join(', ')} and none.`,
  );
}
