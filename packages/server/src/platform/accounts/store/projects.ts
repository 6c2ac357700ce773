import {
  cutPage,
  type OrganizationRole,
  type Page,
  type PageRequest,
  type ProjectTier,
  type ProjectVisibility,
} from '@proofmark/domain';
import { isUniqueViolation, type Sql } from '../../database/database.ts';

export interface StoredProject {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly visibility: ProjectVisibility;
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * A project with the account's role in the organization and its granted tier. From these the domain
 * derives the account's effective tier.
 */
export interface ProjectMembership extends StoredProject {
  readonly organizationRole: OrganizationRole;
  readonly grantedTier: ProjectTier | null;
}

export interface ProjectEntry
  extends Pick<
    ProjectMembership,
    'id' | 'organizationId' | 'visibility' | 'isDefault' | 'organizationRole' | 'grantedTier'
  > {
  /** True if the project's organization has quotas that differ from those in the settings. */
  readonly hasQuotas: boolean;
}

export async function findProject(
  sql: Sql,
  accountId: string,
  projectId: string,
): Promise<ProjectMembership | undefined> {
  const [row] = await sql<
    ProjectMembership[]
  >`${standings(sql, accountId)} where projects.id = ${projectId}`;
  return row;
}

export async function readProjects(
  sql: Sql,
  accountId: string,
  filter: { readonly organizationIds: readonly string[] },
  page: PageRequest,
): Promise<Page<ProjectMembership>> {
  const rows = await sql<ProjectMembership[]>`
    ${standings(sql, accountId)}
    where projects.organization_id = any (${filter.organizationIds as string[]}) and ${maySee(sql)}
      ${page.after ? sql`and (projects.created_at, projects.id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by projects.created_at, projects.id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

export async function readProjectNames(
  sql: Sql,
  accountId: string,
  organizationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<ProjectMembership[]>`
    ${standings(sql, accountId)}
    where projects.organization_id = any (${organizationIds as string[]}) and ${maySee(sql)}`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function insertProject(
  sql: Sql,
  project: Pick<
    StoredProject,
    'id' | 'organizationId' | 'name' | 'description' | 'icon' | 'visibility'
  >,
  accountId: string,
): Promise<'nameTaken' | 'inserted'> {
  const inserted = await sql`
    insert into projects (id, organization_id, name, description, icon, visibility, created_by)
    values (${project.id}, ${project.organizationId}, ${project.name}, ${project.description},
      ${project.icon}, ${project.visibility}, ${accountId})
    on conflict do nothing`;
  if (inserted.count === 0) return 'nameTaken';
  await sql`
    insert into project_members (organization_id, project_id, account_id, tier)
    values (${project.organizationId}, ${project.id}, ${accountId}, 'admin')`;
  return 'inserted';
}

type EditableField = 'name' | 'description' | 'icon' | 'visibility';
export type ProjectEdit = { readonly [Field in EditableField]?: StoredProject[Field] | undefined };

export async function saveProject(
  sql: Sql,
  projectId: string,
  edit: ProjectEdit,
): Promise<'nameTaken' | 'updated' | 'gone'> {
  try {
    const updated = await sql`
      update projects set
        name = coalesce(${edit.name ?? null}, name),
        description = coalesce(${edit.description ?? null}, description),
        icon = coalesce(${edit.icon ?? null}, icon),
        visibility = coalesce(${edit.visibility ?? null}, visibility),
        updated_at = now()
      where id = ${projectId}`;
    return updated.count === 0 ? 'gone' : 'updated';
  } catch (error) {
    if (isUniqueViolation(error)) return 'nameTaken';
    throw error;
  }
}

/**
 * Locks a project, so that no run of the project can start until the transaction ends. The suites
 * are locked before the project, as in all code that writes a run; another order could deadlock.
 */
export async function lockProject(sql: Sql, projectId: string): Promise<void> {
  await sql`select from eval_suites where project_id = ${projectId} order by id for update`;
  await sql`select from projects where id = ${projectId} for update`;
}

/**
 * Returns whether a run that this service executes is open. Reported runs (source `sdk`) are
 * executed elsewhere, so they are ignored.
 */
export async function hasOpenRun(sql: Sql, projectId: string): Promise<boolean> {
  const rows = await sql`
    select from eval_runs
    where project_id = ${projectId} and status in ('pending', 'running') and source <> 'sdk' limit 1`;
  return rows.count > 0;
}

export async function removeProject(sql: Sql, projectId: string): Promise<'deleted' | 'gone'> {
  const deleted = await sql`delete from projects where id = ${projectId} and not is_default`;
  return deleted.count === 0 ? 'gone' : 'deleted';
}

export async function findDefaultProject(
  sql: Sql,
  organizationId: string,
): Promise<{ id: string; organizationId: string } | undefined> {
  const [row] = await sql<{ id: string; organizationId: string }[]>`
    select id, organization_id from projects where organization_id = ${organizationId} and is_default`;
  return row;
}

export async function findNamedProject(
  sql: Sql,
  organizationId: string,
  idOrName: string,
): Promise<{ id: string } | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from projects
    where organization_id = ${organizationId} and (id = ${idOrName} or lower(name) = lower(${idOrName}))
    order by (id = ${idOrName}) desc limit 1`;
  return row;
}

/**
 * Sets the tier of a member in one project; `null` removes it. Owners and admins have all rights in
 * every project anyway.
 */
export async function setTier(
  sql: Sql,
  project: { readonly id: string; readonly organizationId: string },
  accountId: string,
  tier: ProjectTier | null,
): Promise<void> {
  if (tier === null) {
    await sql`delete from project_members where project_id = ${project.id} and account_id = ${accountId}`;
    return;
  }
  await sql`
    insert into project_members (organization_id, project_id, account_id, tier)
    values (${project.organizationId}, ${project.id}, ${accountId}, ${tier})
    on conflict (project_id, account_id) do update set tier = excluded.tier`;
}

function maySee(sql: Sql) {
  return sql`(memberships.role <> 'member' or visibility = 'public' or project_members.tier is not null)`;
}

function standings(sql: Sql, accountId: string) {
  return sql`
    select projects.id, projects.organization_id, projects.name, description, icon, visibility,
      is_default, projects.created_at, projects.updated_at,
      memberships.role as organization_role, project_members.tier as granted_tier
    from projects
    join memberships on memberships.organization_id = projects.organization_id
      and memberships.account_id = ${accountId}
    left join project_members on project_members.project_id = projects.id
      and project_members.account_id = ${accountId}`;
}
