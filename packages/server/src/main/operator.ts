/**
 * The operator's actions at the terminal, directly on the database. No HTTP route reaches them.
 * Each change is recorded in the audit log in the same transaction.
 */
import { randomBytes } from 'node:crypto';
import {
  makeId,
  type OrganizationFeature,
  organizationFeatures,
  type SpendingOfDay,
} from '@proofmark/domain';
import { replaceScorerSecret } from '../features/evals/store/scorer-secrets.ts';
import { createSignInLink, signInUrl } from '../platform/accounts/sessions.ts';
import { ensureAccount } from '../platform/accounts/store/accounts.ts';
import { insertApiKey } from '../platform/accounts/store/api-keys.ts';
import { type AuditActor, insertAuditLine } from '../platform/accounts/store/audit-log.ts';
import {
  ensureOrganization,
  setFeature,
  summarizeOrganizations,
} from '../platform/accounts/store/organizations.ts';
import {
  findDefaultProject,
  findNamedProject,
  insertProject,
} from '../platform/accounts/store/projects.ts';
import { proveAddress } from '../platform/accounts/store/unproven.ts';
import type { Database } from '../platform/database/database.ts';
import { readSpending } from '../platform/spending/store/read-spending.ts';
import { type AuditSearch, searchAuditLog, walkAuditLog } from './operate-audit-log.ts';
import { keyOperations, recordKeyMade } from './operate-keys.ts';
import { noLimits, operateLimits } from './operate-limits.ts';
import { operatePeople } from './operate-people.ts';
import { checkedEmail, checkedName, operatorActor, operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

interface Bootstrapped {
  readonly accountId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a plain list of the members of one service.
export function createOperator(owner: Database, serviceUrl: string, defaults = noLimits) {
  const actor = operatorActor();
  const { accountOf, organizationOf } = operatorSearch(owner);
  return {
    ...keyOperations(owner, actor),
    ...operatePeople(owner, actor, serviceUrl),
    ...operateLimits(owner, actor, defaults),
    ...operateScorerSecrets(owner, actor),

    async bootstrap(wanted: {
      email: string;
      organization: string;
      project?: string | undefined;
    }): Promise<Bootstrapped> {
      const email = checkedEmail(wanted.email);
      const name = checkedName(wanted.organization);
      return owner.transaction(async (sql) => {
        const account = await ensureAccount(sql, { email });
        const organization = await ensureOrganization(sql, account.id, name);
        if (organization === 'ofOthers') {
          throw new BadSetting(
            `The organization ${name} already exists, but ${email} does not belong to it; use proofmark admin add-member.`,
          );
        }
        const { id: organizationId, created } = organization;
        if (created) {
          await proveAddress(sql, account.id, actor);
          await insertAuditLine(sql, {
            ...actor,
            organizationId,
            projectId: null,
            subjectId: organizationId,
            action: 'organization.created',
            details: { email },
          });
        }
        const projectId = await ensureProject(sql, organizationId, account.id, wanted.project);
        const made = { accountId: account.id, organizationId };
        const terms = { name: 'bootstrap', scope: 'full', expiresInDays: null } as const;
        const issued = await insertApiKey({ sql, vault: owner.vault }, made, terms);
        if (issued === undefined)
          throw new Error('Internal fault: the owner of an organization is not a member of it.');
        await recordKeyMade(sql, actor, organizationId, issued.apiKey, email);
        return { ...made, projectId, apiKeyId: issued.apiKey.id, apiKey: issued.key };
      });
    },

    listOrganizations: () => summarizeOrganizations(owner.sql),

    async setFeature(organization: string, feature: string, state: string): Promise<void> {
      if (!organizationFeatures.includes(feature as OrganizationFeature)) {
        throw new BadSetting(
          `There is no feature ${feature}; the features are ${organizationFeatures.join(' and ')}.`,
        );
      }
      if (state !== 'on' && state !== 'off') throw new BadSetting('The value must be on or off.');
      const organizationId = await organizationOf(organization);
      await owner.transaction(async (sql) => {
        await setFeature(sql, organizationId, feature as OrganizationFeature, state === 'on');
        await insertAuditLine(sql, {
          ...actor,
          organizationId,
          projectId: null,
          subjectId: organizationId,
          action: 'organization.featureChanged',
          details: { feature, state },
        });
      });
    },

    async createSignInLink(
      email: string,
      baseUrl: string = serviceUrl,
    ): Promise<{ url: string; expiresAt: Date }> {
      const accountId = await accountOf(email);
      const link = await owner.transaction(async (sql) => {
        await proveAddress(sql, accountId, actor);
        const made = await createSignInLink(sql, accountId, actor);
        if (made !== undefined) return made;
        throw new BadSetting(`The account ${email} is disabled; use enable-account first.`);
      });
      return { url: signInUrl(baseUrl, link.token), expiresAt: link.expiresAt };
    },

    /** Reads the spending of a UTC day (default: today). */
    async readSpending(organization: string, day: string | undefined): Promise<SpendingOfDay> {
      if (day !== undefined && !isDay(day)) {
        throw new BadSetting(`${day} is not a day; write one like 2026-03-04.`);
      }
      const id = await organizationOf(organization);
      return readSpending(owner.sql, id, day, defaults.spending);
    },

    readAuditLog: (wanted: AuditSearch & { readonly limit: number }) =>
      searchAuditLog(owner, wanted),
    walkAuditLog: (wanted: AuditSearch) => walkAuditLog(owner, wanted),
  };
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && text.length === 10;
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

function operateScorerSecrets(owner: Database, actor: AuditActor) {
  const { organizationOf } = operatorSearch(owner);
  return {
    async rotateScorerSecret(
      organization: string,
      project: string,
    ): Promise<{ readonly projectId: string; readonly secret: string }> {
      const organizationId = await organizationOf(organization);
      return owner.transaction(async (sql) => {
        const found = await findNamedProject(sql, organizationId, project);
        const row = found && { id: found.id, organizationId };
        const made = row && (await replaceScorerSecret(sql, owner.vault, row));
        if (row === undefined || made === undefined) {
          throw new BadSetting(`${organization} has no project ${project}.`);
        }
        await insertAuditLine(sql, {
          ...actor,
          organizationId,
          projectId: row.id,
          subjectId: row.id,
          details: null,
          action: 'project.scorerSecretRotated',
        });
        return { projectId: row.id, secret: made.secret };
      });
    },
  };
}
