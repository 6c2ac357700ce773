import type { OrganizationRole } from '@proofmark/domain';
import { normalizeEmail } from '@proofmark/domain';
import { invite, withdraw } from '../platform/accounts/invitations.ts';
import {
  changeRole,
  disableAccount,
  enableAccount,
  endMembership,
  endSessions,
  type MemberProblem,
  resetPassword,
} from '../platform/accounts/members.ts';
import { invitationUrl, signInUrl } from '../platform/accounts/sessions.ts';
import { ensureAccount } from '../platform/accounts/store/accounts.ts';
import { type AuditActor, insertAuditLine } from '../platform/accounts/store/audit-log.ts';
import { readInvitations, type StoredInvitation } from '../platform/accounts/store/invitations.ts';
import { findRole, readMembers, type StoredMember } from '../platform/accounts/store/members.ts';
import { addMember } from '../platform/accounts/store/organizations.ts';
import { findNamedProject, setTier } from '../platform/accounts/store/projects.ts';
import { proveAddress } from '../platform/accounts/store/unproven.ts';
import type { Database, Sql } from '../platform/database/database.ts';
import { checkedEmail, checkedRole, checkedTier, operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

interface Link {
  readonly url: string;
  readonly expiresAt: Date;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a plain list of the members of one service.
export function operatePeople(owner: Database, actor: AuditActor, serviceUrl: string) {
  const { accountOf, organizationOf } = operatorSearch(owner);
  const by = { actor, callerId: null };

  async function onAccount<Done>(
    email: string,
    work: (sql: Sql, accountId: string) => Promise<Done>,
  ): Promise<Exclude<Done, { problem: MemberProblem }>> {
    const accountId = await accountOf(email);
    return owner.transaction(async (sql) => orSentence(email, await work(sql, accountId)));
  }

  return {
    async listMembers(organization: string): Promise<readonly StoredMember[]> {
      const organizationId = await organizationOf(organization);
      return (await readMembers(owner.sql, organizationId, { limit: 10_000 })).items;
    },

    async addMember(
      organization: string,
      email: string,
      role: string,
    ): Promise<{ accountId: string; added: boolean; accountMade: boolean }> {
      const organizationId = await organizationOf(organization);
      const address = checkedEmail(email);
      const checked = checkedRole(role);
      return owner.transaction(async (sql) => {
        const account = await ensureAccount(sql, { email: address });
        const { added } = await addMember(sql, organizationId, account.id, checked);
        if (added) {
          await proveAddress(sql, account.id, actor);
          const line = { organizationId, projectId: null, subjectId: account.id };
          const details = { email: normalizeEmail(address), role: checked };
          await insertAuditLine(sql, { ...actor, ...line, action: 'member.added', details });
        }
        return { accountId: account.id, added, accountMade: account.created };
      });
    },

    async invite(
      organization: string,
      email: string,
      role: string,
      baseUrl: string = serviceUrl,
    ): Promise<Link> {
      const organizationId = await organizationOf(organization);
      const wanted = { email: normalizeEmail(checkedEmail(email)), role: checkedRole(role) };
      const made = await owner.transaction((sql) => invite(sql, by, organizationId, wanted));
      if ('problem' in made) {
        throw new BadSetting(`${email} is a member of ${organization} already.`);
      }
      const { token, invitation } = made;
      return { url: invitationUrl(baseUrl, token), expiresAt: invitation.expiresAt };
    },

    async listInvitations(organization: string): Promise<readonly StoredInvitation[]> {
      const organizationId = await organizationOf(organization);
      return (await readInvitations(owner.sql, organizationId, { limit: 10_000 })).items;
    },

    async withdrawInvitation(organization: string, email: string): Promise<void> {
      const organizationId = await organizationOf(organization);
      const address = normalizeEmail(checkedEmail(email));
      await owner.transaction(async (sql) => {
        const { items } = await readInvitations(sql, organizationId, { limit: 10_000 });
        const found = items.find((one) => one.email === address);
        const done = found && (await withdraw(sql, by, organizationId, found.id));
        if (done !== undefined && 'withdrawn' in done) return;
        throw new BadSetting(`${email} has no invitation to ${organization}.`);
      });
    },

    async setRole(
      organization: string,
      email: string,
      role: string,
    ): Promise<{ formerRole: OrganizationRole }> {
      const checked = checkedRole(role);
      const organizationId = await organizationOf(organization);
      const accountId = await accountOf(email);
      return owner.transaction(async (sql) => {
        const changed = await changeRole(sql, by, { organizationId, accountId }, checked);
        return orSentence(email, changed, organization);
      });
    },

    async removeMember(
      organization: string,
      email: string,
    ): Promise<{ revokedKeys: readonly string[] }> {
      const organizationId = await organizationOf(organization);
      const accountId = await accountOf(email);
      return owner.transaction(async (sql) => {
        const removed = await endMembership(sql, by, { organizationId, accountId });
        return orSentence(email, removed, organization);
      });
    },

    async setTier(
      organization: string,
      project: string,
      email: string,
      tier: string,
    ): Promise<{ readonly role: OrganizationRole }> {
      const checked = checkedTier(tier);
      const organizationId = await organizationOf(organization);
      const accountId = await accountOf(email);
      const found = await findNamedProject(owner.sql, organizationId, project);
      if (found === undefined) throw new BadSetting(`${organization} has no project ${project}.`);
      const role = await findRole(owner.sql, organizationId, accountId);
      if (role === undefined) {
        throw new BadSetting(`${email} is not a member of ${organization}; use add-member first.`);
      }
      await owner.transaction(async (sql) => {
        await setTier(sql, { id: found.id, organizationId }, accountId, checked);
        const line = { organizationId, projectId: found.id, subjectId: accountId };
        const details = { tier: checked ?? 'none' };
        await insertAuditLine(sql, { ...actor, ...line, action: 'member.tierChanged', details });
      });
      return { role };
    },

    disableAccount: (email: string) =>
      onAccount(email, (sql, accountId) => disableAccount(sql, by, accountId)),

    enableAccount: (email: string) =>
      onAccount(email, (sql, accountId) => enableAccount(sql, by, accountId)),

    endSessions: (email: string) =>
      onAccount(email, (sql, accountId) => endSessions(sql, by, accountId)),

    async resetPassword(email: string, baseUrl: string = serviceUrl): Promise<Link> {
      const { token, expiresAt } = await onAccount(email, (sql, accountId) =>
        resetPassword(sql, by, accountId),
      );
      return { url: signInUrl(baseUrl, token), expiresAt };
    },
  };
}

/**
 * Throws an error with a readable message if a change failed. The error also rolls back the
 * transaction.
 */
function orSentence<Done>(
  email: string,
  done: Done,
  organization = 'an organization',
): Exclude<Done, { problem: MemberProblem }> {
  const { problem } = done as { problem?: MemberProblem };
  if (problem === undefined) return done as Exclude<Done, { problem: MemberProblem }>;
  if (problem === 'lastOwner') {
    throw new BadSetting(
      `${email} is the last owner of ${organization}; make another owner first.`,
    );
  }
  if (problem === 'disabled') {
    throw new BadSetting(`The account ${email} is disabled; use enable-account first.`);
  }
  throw new BadSetting(`${email} is not a member of ${organization}.`);
}
