/**
 * Environments. Names of unarchived environments are unique in a project, regardless of case. An
 * unnamed environment stores a space and its key in the `comparable_name` column. No name begins
 * with a space, so the unique index on that column also keeps the keys unique.
 */
import { cutPage, type Environment, type Page, type PageRequest } from '@proofmark/domain';
import { type Fragment, isUniqueViolation, type Sql } from '../../../platform/database/database.ts';
import { nameColumns } from '../../../platform/database/name-columns.ts';

export interface StoredEnvironment extends Environment {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export async function countLiveEnvironments(sql: Sql, clientId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from environments
    where host_id = ${clientId} and archived_at is null and ${isNamed(sql)}`;
  return row?.count ?? 0;
}

/** `forShare` lets other transactions read the row but not write it. */
export async function readEnvironment(
  sql: Sql,
  projectId: string,
  environmentId: string,
  lock: 'forUpdate' | 'forShare' | 'read' = 'read',
): Promise<StoredEnvironment | undefined> {
  const locked = { forUpdate: sql`for update`, forShare: sql`for share`, read: sql`` }[lock];
  const [row] = await sql<EnvironmentRow[]>`
    select ${columns(sql)} from environments
    where project_id = ${projectId} and id = ${environmentId} ${locked}`;
  return row && readRow(row);
}

export async function findEnvironmentNames(
  sql: Sql,
  projectId: string,
  environmentIds: readonly string[],
): Promise<Map<string, string>> {
  if (environmentIds.length === 0) return new Map();
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from environments
    where project_id = ${projectId} and id = any (${environmentIds as string[]})`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findEnvironmentStates(
  sql: Sql,
  projectId: string,
  environmentIds: readonly string[],
): Promise<Map<string, { readonly isArchived: boolean }>> {
  const rows = await sql<{ id: string; isArchived: boolean }[]>`
    select id, archived_at is not null as is_archived from environments
    where project_id = ${projectId} and id = any (${environmentIds as string[]})`;
  return new Map(rows.map(({ id, isArchived }) => [id, { isArchived }]));
}

/**
 * Finds by id, or by name among the unarchived environments. The row is locked until the
 * transaction ends.
 */
export async function findLiveEnvironment(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<string | undefined> {
  const { comparable_name } = nameColumns(reference.trim());
  const [row] = await sql<{ id: string }[]>`
    select id from environments
    where project_id = ${projectId} and archived_at is null
      and (id = ${reference} or comparable_name = ${comparable_name})
    order by id = ${reference} desc limit 1 for share`;
  return row?.id;
}

export async function readEnvironments(
  sql: Sql,
  projectId: string,
  filter: { readonly includeArchived: boolean },
  page: PageRequest,
): Promise<Page<StoredEnvironment>> {
  const rows = await sql<EnvironmentRow[]>`
    select ${columns(sql)} from environments where project_id = ${projectId} and ${isNamed(sql)}
      ${filter.includeArchived ? sql`` : sql`and archived_at is null`}
      ${page.after ? sql`and (created_at, id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at, id limit ${page.limit + 1}`;
  return cutPage(rows.map(readRow), page.limit, (row) => ({
    order: row.createdAt.getTime(),
    id: row.id,
  }));
}

/** Reads only unarchived environments. The key is computed from the environment's content. */
export async function readAdhocEnvironment(
  sql: Sql,
  projectId: string,
  adhocKey: string,
): Promise<StoredEnvironment | undefined> {
  const [row] = await sql<EnvironmentRow[]>`
    select ${columns(sql)} from environments
    where project_id = ${projectId} and archived_at is null and comparable_name = ${keyPrefix + adhocKey}`;
  return row && readRow(row);
}

const keyPrefix = ' ';

/** Only named environments are listed to people. */
export function isNamed(sql: Sql): Fragment {
  return sql`not starts_with(environments.comparable_name, ${keyPrefix})`;
}

export async function insertEnvironment(
  sql: Sql,
  organizationId: string,
  environment: Environment,
): Promise<StoredEnvironment | 'nameTaken'> {
  const [row] = await sql<EnvironmentRow[]>`
    insert into environments ${sql({
      id: environment.id,
      organization_id: organizationId,
      project_id: environment.projectId,
      ...written(environment),
    })} on conflict do nothing returning ${columns(sql)}`;
  return row === undefined ? 'nameTaken' : readRow(row);
}

/**
 * The caller must lock the environment before it reads the content from which the new content is
 * derived.
 */
export async function storeEnvironment(
  sql: Sql,
  environment: Environment,
): Promise<StoredEnvironment | 'nameTaken'> {
  // One writer per project at a time: two concurrent edits that swap names would otherwise
  // deadlock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${environment.projectId}, 0))`;
  try {
    const [row] = await sql<EnvironmentRow[]>`
      update environments set ${sql(written(environment))}, updated_at = clock_timestamp()
      where id = ${environment.id} and project_id = ${environment.projectId}
      returning ${columns(sql)}`;
    return readRow(row as EnvironmentRow);
  } catch (error) {
    if (isUniqueViolation(error)) return 'nameTaken';
    throw error;
  }
}

type EnvironmentRow = Omit<StoredEnvironment, 'skillSelection'> & {
  readonly skillIds: readonly string[] | null;
};

function readRow({ skillIds, ...row }: EnvironmentRow): StoredEnvironment {
  return { ...row, skillSelection: skillIds === null ? null : { mode: 'explicit', skillIds } };
}

function written(environment: Environment) {
  const { adhocKey } = environment;
  return {
    ...nameColumns(environment.name),
    ...(typeof adhocKey === 'string' && { comparable_name: keyPrefix + adhocKey }),
    description: environment.description,
    host_id: environment.hostId,
    server_attachment_id: environment.serverAttachmentId,
    model_id: environment.modelId,
    skill_ids: (environment.skillSelection?.skillIds ?? null) as string[] | null,
    plugin_version_ids: environment.pluginVersionIds as string[] | null,
    sandbox_image_id: environment.sandboxImageId,
    revision: environment.revision,
    archived_at: environment.archivedAt,
  };
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, name,
    case when not ${isNamed(sql)} then ltrim(comparable_name) end as adhoc_key, description, host_id, server_attachment_id, model_id, skill_ids,
    plugin_version_ids, sandbox_image_id, revision, archived_at, created_at, updated_at`;
}
