import {
  cutPage,
  type MemberStanding,
  type OrganizationRole,
  type Page,
  type PageRequest,
  type ProjectTier,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../database/database.ts';
import { endSignIns } from './accounts.ts';

export interface StoredMember {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: OrganizationRole;
  readonly joinedAt: Date;
  readonly disabledAt: Date | null;
  readonly openSessions: number;
  readonly activeKeys: number;
  readonly tiers: readonly {
    readonly projectId: string;
    readonly projectName: string;
    readonly tier: ProjectTier;
  }[];
}

export async function readMembers(
  sql: Sql,
  organizationId: string,
  page: PageRequest,
): Promise<Page<StoredMember>> {
  const rows = await sql<StoredMember[]>`
    ${members(sql, organizationId)}
      ${page.after ? sql`and (memberships.created_at, account_id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by memberships.created_at, account_id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.joinedAt.getTime(), id: row.accountId }));
}

export async function findMember(
  sql: Sql,
  organizationId: string,
  accountId: string,
): Promise<StoredMember | undefined> {
  const [row] = await sql<StoredMember[]>`
    ${members(sql, organizationId)} and account_id = ${accountId}`;
  return row;
}

function members(sql: Sql, organizationId: string): Fragment {
  return sql`
    select account_id, email, accounts.name, role, memberships.created_at as joined_at, disabled_at,
      (select count(*)::integer from sessions
        where sessions.account_id = accounts.id and expires_at > now()) as open_sessions,
      (select count(*)::integer from api_keys
        where api_keys.account_id = accounts.id and api_keys.organization_id = memberships.organization_id
          and revoked_at is null and (expires_at is null or expires_at > now())) as active_keys,
      (select coalesce(json_agg(json_build_object(
          'projectId', projects.id, 'projectName', projects.name, 'tier', tier) order by projects.name), '[]')
        from project_members join projects on projects.id = project_id
        where project_members.account_id = accounts.id
          and project_members.organization_id = memberships.organization_id) as tiers
    from memberships join accounts on accounts.id = account_id
    where memberships.organization_id = ${organizationId}`;
}

/**
 * Returns the owners of an organization and the given members, and locks all members and their
 * roles until the transaction ends. If two owners remove each other at the same time, the second
 * removal finds only one owner left and is refused. Several organizations must be locked in the
 * order of their ids.
 */
export async function lockMembers(
  sql: Sql,
  organizationId: string,
  concerned: readonly string[],
): Promise<readonly MemberStanding[]> {
  await sql`select from organizations where id = ${organizationId} for no key update`;
  return sql<MemberStanding[]>`
    select account_id, role, disabled_at is not null as is_disabled
    from memberships join accounts on accounts.id = account_id
    where organization_id = ${organizationId}
      and (role = 'owner' or account_id = any (${concerned as string[]}))`;
}

export async function findRole(
  sql: Sql,
  organizationId: string,
  accountId: string,
): Promise<OrganizationRole | undefined> {
  const [row] = await sql<{ role: OrganizationRole }[]>`
    select role from memberships
    where organization_id = ${organizationId} and account_id = ${accountId}`;
  return row?.role;
}

export async function saveRole(
  sql: Sql,
  organizationId: string,
  accountId: string,
  role: OrganizationRole,
): Promise<void> {
  await sql`
    update memberships set role = ${role}
    where organization_id = ${organizationId} and account_id = ${accountId}`;
}

/**
 * Deletes the membership and all access of the account to the organization; returns the revoked
 * keys. The membership is deleted first: without a membership, no new key can be created.
 */
export async function deleteMembership(
  sql: Sql,
  organizationId: string,
  accountId: string,
): Promise<readonly string[]> {
  await sql`
    delete from memberships where organization_id = ${organizationId} and account_id = ${accountId}`;
  const keys = await sql<{ id: string }[]>`
    update api_keys set revoked_at = now()
    where organization_id = ${organizationId} and account_id = ${accountId} and revoked_at is null
    returning id`;
  await sql`
    delete from invitations where organization_id = ${organizationId}
      and (invited_by = ${accountId} or email = (select email from accounts where id = ${accountId}))`;
  await endSignIns(sql, accountId);
  return keys.map(({ id }) => id);
}

export interface AccountMembership {
  readonly organizationId: string;
  readonly role: OrganizationRole;
  /** The caller's role in the member's organization; null if the caller is no member. */
  readonly callerRole: OrganizationRole | null;
}

/**
 * Returns all memberships of an account and locks them against changes until the transaction ends.
 */
export async function lockAccount(
  sql: Sql,
  accountId: string,
  callerId: string | null,
): Promise<{
  readonly email: string;
  readonly disabledBy: 'operator' | 'admin' | null;
  readonly memberships: readonly AccountMembership[];
}> {
  const [account] = await sql<{ email: string; disabledBy: 'operator' | 'admin' | null }[]>`
    select email, disabled_by from accounts where id = ${accountId} for update`;
  const memberships = await sql<AccountMembership[]>`
    select theirs.organization_id, theirs.role, own.role as caller_role from memberships theirs
    left join memberships own on own.organization_id = theirs.organization_id
      and own.account_id = ${callerId}
    where theirs.account_id = ${accountId} order by theirs.organization_id`;
  const { email = '', disabledBy = null } = account ?? {};
  return { email, disabledBy, memberships };
}

export async function markDisabled(
  sql: Sql,
  accountId: string,
  by: 'operator' | 'admin',
): Promise<void> {
  await sql`
    update accounts set disabled_at = coalesce(disabled_at, now()), disabled_by = ${by}
    where id = ${accountId}`;
  await endSignIns(sql, accountId);
}

export async function markEnabled(sql: Sql, accountId: string): Promise<void> {
  await sql`update accounts set disabled_at = null, disabled_by = null where id = ${accountId}`;
}

export async function dropPassword(sql: Sql, accountId: string): Promise<void> {
  await sql`update accounts set password_hash = null, updated_at = now() where id = ${accountId}`;
  await endSignIns(sql, accountId);
}
