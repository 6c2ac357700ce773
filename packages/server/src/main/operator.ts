/** What the operator does at the host's own terminal, on the database itself. No HTTP route leads here. */
import { randomBytes } from 'node:crypto';
import {
  isEmail,
  makeId,
  type OrganizationFeature,
  type OrganizationRole,
  organizationFeatures,
  organizationRoles,
  type ProjectTier,
  projectTiers,
} from '@proofmark/domain';
import { createSignInLink, signInUrl } from '../accounts/sessions.ts';
import { ensureAccount, findAccountSecrets } from '../storage/accounts/accounts.ts';
import {
  insertApiKey,
  markApiKeyRevoked,
  readApiKeys,
  type StoredApiKey,
} from '../storage/accounts/api-keys.ts';
import { type AuditLine, listAuditLines } from '../storage/accounts/audit-log.ts';
import {
  addMember,
  ensureOrganization,
  findOrganization,
  isMember,
  setFeature,
  setRole,
} from '../storage/accounts/organizations.ts';
import {
  findDefaultProject,
  findNamedProject,
  insertProject,
  setTier,
} from '../storage/accounts/projects.ts';
import type { Database } from '../storage/database/database.ts';
import { BadSetting } from './setting.ts';

interface Bootstrapped {
  readonly accountId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
}

export function createOperator(owner: Database, serviceUrl: string) {
  return {
    async bootstrap(wanted: {
      email: string;
      organization: string;
      project?: string | undefined;
    }): Promise<Bootstrapped> {
      const email = checkedEmail(wanted.email);
      const made = await owner.transaction(async (sql) => {
        const account = await ensureAccount(sql, { email });
        const name = checkedName(wanted.organization);
        const organization = await ensureOrganization(sql, account.id, name);
        if (organization === 'ofOthers') {
          throw new BadSetting(
            `There is an organization ${name} that ${email} does not belong to; use proofmark admin add-member.`,
          );
        }
        const projectId = await ensureProject(sql, organization.id, account.id, wanted.project);
        return { accountId: account.id, organizationId: organization.id, projectId };
      });
      const { apiKey, key } = await insertApiKey(owner, made, 'bootstrap');
      return { ...made, apiKeyId: apiKey.id, apiKey: key };
    },

    async createKey(
      email: string,
      organization: string,
      name: string,
    ): Promise<{ apiKey: StoredApiKey; key: string }> {
      const organizationId = await organizationOf(organization);
      const accountId = await accountOf(email);
      if (!(await isMember(owner, organizationId, accountId)))
        throw new BadSetting(`${email} is not a member of ${organization}.`);
      return insertApiKey(owner, { accountId, organizationId }, checkedName(name));
    },

    async listKeys(organization: string): Promise<readonly StoredApiKey[]> {
      const organizationId = await organizationOf(organization);
      return (await readApiKeys(owner, { organizationId }, { limit: 10_000 })).items;
    },

    async revokeKey(keyId: string): Promise<StoredApiKey> {
      const revoked = await markApiKeyRevoked(owner.sql, 'operator', keyId);
      if (revoked === undefined) throw new BadSetting(`There is no API key ${keyId}.`);
      return revoked.apiKey;
    },

    async addMember(
      organization: string,
      email: string,
      role: string,
    ): Promise<{ accountId: string; added: boolean }> {
      const organizationId = await organizationOf(organization);
      const address = checkedEmail(email);
      return owner.transaction(async (sql) => {
        const account = await ensureAccount(sql, { email: address });
        const { added } = await addMember(sql, organizationId, account.id, checkedRole(role));
        return { accountId: account.id, added };
      });
    },

    async setRole(organization: string, email: string, role: string): Promise<void> {
      const change = await setRole(
        owner,
        await organizationOf(organization),
        await accountOf(email),
        checkedRole(role),
      );
      if (change === 'notAMember')
        throw new BadSetting(`${email} is not a member of ${organization}.`);
      if (change === 'lastOwner')
        throw new BadSetting(
          `${email} is the last owner of ${organization}; make another owner first.`,
        );
    },

    async setTier(
      organization: string,
      project: string,
      email: string,
      tier: string,
    ): Promise<void> {
      if (!projectTiers.includes(tier as ProjectTier)) {
        throw new BadSetting(`There is no tier ${tier}; there are ${projectTiers.join(', ')}.`);
      }
      const organizationId = await organizationOf(organization);
      const accountId = await accountOf(email);
      const found = await findNamedProject(owner.sql, organizationId, project);
      if (found === undefined) throw new BadSetting(`${organization} has no project ${project}.`);
      if (!(await isMember(owner, organizationId, accountId))) {
        throw new BadSetting(`${email} is not a member of ${organization}; use add-member first.`);
      }
      await setTier(owner.sql, { id: found.id, organizationId }, accountId, tier as ProjectTier);
    },

    async setFeature(organization: string, feature: string, state: string): Promise<void> {
      if (!organizationFeatures.includes(feature as OrganizationFeature)) {
        throw new BadSetting(
          `There is no feature ${feature}; there are ${organizationFeatures.join(' and ')}.`,
        );
      }
      if (state !== 'on' && state !== 'off') throw new BadSetting('Say on or off.');
      await setFeature(
        owner,
        await organizationOf(organization),
        feature as OrganizationFeature,
        state === 'on',
      );
    },

    async createSignInLink(
      email: string,
      baseUrl: string = serviceUrl,
    ): Promise<{ url: string; expiresAt: Date }> {
      const { token, expiresAt } = await createSignInLink(owner, await accountOf(email));
      return { url: signInUrl(baseUrl, token), expiresAt };
    },

    /** Newest first. A project is named by its id alone, since it may be gone while its lines stay. */
    async readAuditLog(wanted: {
      organization?: string | undefined;
      projectId?: string | undefined;
      limit: number;
    }): Promise<readonly AuditLine[]> {
      const { organization, projectId, limit } = wanted;
      if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
        throw new BadSetting('The limit is a whole number from 1 to 10000.');
      const organizationId =
        organization === undefined ? undefined : await organizationOf(organization);
      return listAuditLines(owner, { organizationId, projectId, limit });
    },
  };

  async function organizationOf(idOrName: string): Promise<string> {
    const [found, other] = await findOrganization(owner, idOrName);
    if (found === undefined) throw new BadSetting(`There is no organization ${idOrName}.`);
    if (other !== undefined && found.id !== idOrName) {
      throw new BadSetting(
        `Several organizations are called ${idOrName}; use the id, for example ${found.id}.`,
      );
    }
    return found.id;
  }

  async function accountOf(email: string): Promise<string> {
    const account = await findAccountSecrets(owner, { email });
    if (account === undefined) throw new BadSetting(`There is no account ${email}.`);
    return account.id;
  }
}

export type Operator = ReturnType<typeof createOperator>;

async function ensureProject(
  sql: Parameters<typeof findDefaultProject>[0],
  organizationId: string,
  accountId: string,
  name: string | undefined,
): Promise<string> {
  const found =
    name === undefined
      ? await findDefaultProject(sql, organizationId)
      : await findNamedProject(sql, organizationId, checkedName(name));
  if (found !== undefined) return found.id;
  const id = makeId('project', Date.now(), randomBytes(10));
  const project = {
    id,
    organizationId,
    name: checkedName(name ?? ''),
    description: null,
    icon: null,
  };
  await insertProject(sql, { ...project, visibility: 'public' }, accountId);
  return id;
}

function checkedEmail(email: string): string {
  if (isEmail(email.trim())) return email;
  throw new BadSetting(`${email} is not an e-mail address.`);
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= 200) return trimmed;
  throw new BadSetting('A name has 1 to 200 characters.');
}

function checkedRole(role: string): OrganizationRole {
  if (organizationRoles.includes(role as OrganizationRole)) return role as OrganizationRole;
  throw new BadSetting(`There is no role ${role}; there are ${organizationRoles.join(', ')}.`);
}
