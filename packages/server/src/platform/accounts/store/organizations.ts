import { randomBytes } from 'node:crypto';
import {
  cutPage,
  makeId,
  type OrganizationFeature,
  type OrganizationRole,
  type Page,
  type PageRequest,
} from '@proofmark/domain';
import type { Database, Sql } from '../../database/database.ts';

export interface StoredOrganization {
  readonly id: string;
  readonly name: string;
  readonly role: OrganizationRole;
  readonly isCreator: boolean;
  readonly createdAt: Date;
}

export async function readOrganizations(
  database: Database,
  accountId: string,
  organizationIds: readonly string[],
  page: PageRequest,
): Promise<Page<StoredOrganization>> {
  const { sql } = database;
  const rows = await sql<StoredOrganization[]>`
    select id, name, role, coalesce(created_by = ${accountId}, false) as is_creator,
      organizations.created_at
    from organizations
    join memberships on memberships.organization_id = organizations.id
      and memberships.account_id = ${accountId}
    where id = any (${organizationIds as string[]})
      ${page.after ? sql`and (organizations.created_at, id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by organizations.created_at, id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

export interface OrganizationSummary {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly members: number;
  readonly projects: number;
}

export async function summarizeOrganizations(sql: Sql): Promise<readonly OrganizationSummary[]> {
  return sql<OrganizationSummary[]>`
    select id, name, created_at,
      (select count(*)::integer from memberships where organization_id = organizations.id) as members,
      (select count(*)::integer from projects where organization_id = organizations.id) as projects
    from organizations order by name, id`;
}

export async function readOrganizationName(sql: Sql, organizationId: string): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select name from organizations where id = ${organizationId}`;
  return row?.name ?? '';
}

export interface OrganizationFeatures {
  readonly swarms: boolean;
  readonly userTesting: boolean;
}

export async function readFeatures(
  database: Database,
  organizationId: string,
): Promise<OrganizationFeatures> {
  const [row] = await database.sql<OrganizationFeatures[]>`
    select swarms, user_testing from organizations where id = ${organizationId}`;
  return row ?? { swarms: false, userTesting: false };
}

export async function setFeature(
  sql: Sql,
  organizationId: string,
  feature: OrganizationFeature,
  on: boolean,
): Promise<boolean> {
  const column = feature === 'swarms' ? sql`swarms` : sql`user_testing`;
  const changed =
    await sql`update organizations set ${column} = ${on} where id = ${organizationId}`;
  return changed.count > 0;
}

export async function findOrganization(
  database: Database,
  idOrName: string,
): Promise<{ id: string; name: string }[]> {
  return database.sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = ${idOrName} or name = ${idOrName}
    order by (id = ${idOrName}) desc, created_at limit 2`;
}

export async function ensureOrganization(
  sql: Sql,
  accountId: string,
  name: string,
): Promise<{ id: string; created: boolean } | 'ofOthers'> {
  const [found] = await sql<{ id: string; isMember: boolean }[]>`
    select id, memberships.role is not null as is_member from organizations
    left join memberships on memberships.organization_id = organizations.id
      and memberships.account_id = ${accountId}
    where name = ${name} order by is_member desc, organizations.created_at limit 1`;
  if (found !== undefined) return found.isMember ? { id: found.id, created: false } : 'ofOthers';
  const id = makeId('organization', Date.now(), randomBytes(10));
  await sql`insert into organizations (id, name, created_by) values (${id}, ${name}, ${accountId})`;
  await sql`insert into memberships (organization_id, account_id, role) values (${id}, ${accountId}, 'owner')`;
  await sql`
    insert into projects (id, organization_id, name, visibility, is_default, created_by)
    values (${makeId('project', Date.now(), randomBytes(10))}, ${id}, 'Default', 'public', true, ${accountId})`;
  return { id, created: true };
}

export async function addMember(
  sql: Sql,
  organizationId: string,
  accountId: string,
  role: OrganizationRole,
): Promise<{ added: boolean }> {
  const added = await sql`
    insert into memberships (organization_id, account_id, role)
    values (${organizationId}, ${accountId}, ${role}) on conflict do nothing`;
  return { added: added.count > 0 };
}

export async function roleInFirstOrganization(
  { sql }: Pick<Database, 'sql'>,
  accountId: string,
): Promise<OrganizationRole | undefined> {
  const [row] = await sql<{ role: OrganizationRole }[]>`
    select role from memberships where account_id = ${accountId}
      and organization_id = (select id from organizations order by created_at, id limit 1)`;
  return row?.role;
}
