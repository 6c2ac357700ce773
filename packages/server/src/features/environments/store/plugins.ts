/**
 * A plugin version is a set of servers and skills, fixed when the version is created. Equal content
 * gives the same version.
 */
import {
  cutPage,
  isRecord,
  type Page,
  type PageRequest,
  type PluginContent,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { nameColumns } from '../../../platform/database/name-columns.ts';
import { type Document, readRecord } from '../../../platform/database/read-document.ts';

export interface StoredPlugin {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly activeVersionId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface StoredPluginVersion {
  readonly id: string;
  readonly pluginId: string;
  /** The name of the plugin, not of the version. */
  readonly name: string;
  readonly projectId: string;
  readonly number: number;
  readonly content: PluginContent;
  /** Present if the stored content cannot be read. `content` is then empty. */
  readonly isUnreadable?: true;
  readonly bundleHash: string;
  readonly createdAt: Date;
}

/** Deleting a plugin and adding a version both need the lock `forUpdate`. */
export async function readPlugin(
  sql: Sql,
  projectId: string,
  pluginId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<StoredPlugin | undefined> {
  const [row] = await sql<StoredPlugin[]>`
    ${selected(sql)} where project_id = ${projectId} and id = ${pluginId}
    ${lock === 'forUpdate' ? sql`for update` : sql``}`;
  return row;
}

export async function listPlugins(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<StoredPlugin>> {
  const rows = await sql<StoredPlugin[]>`
    ${selected(sql)} where project_id = ${projectId}
      ${page.after ? sql`and (created_at, id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at, id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

export async function insertPlugin(
  sql: Sql,
  organizationId: string,
  plugin: Omit<StoredPlugin, 'createdAt' | 'updatedAt'>,
): Promise<'nameTaken' | 'inserted'> {
  const inserted = await sql`
    insert into plugins ${sql({
      id: plugin.id,
      organization_id: organizationId,
      project_id: plugin.projectId,
      ...nameColumns(plugin.name),
      display_name: plugin.displayName,
      description: plugin.description,
      active_version_id: plugin.activeVersionId,
    })} on conflict do nothing`;
  return inserted.count === 0 ? 'nameTaken' : 'inserted';
}

export async function removePlugin(sql: Sql, pluginId: string): Promise<void> {
  await sql`delete from plugins where id = ${pluginId}`;
}

export async function activatePluginVersion(
  sql: Sql,
  pluginId: string,
  versionId: string,
): Promise<void> {
  await sql`
    update plugins set active_version_id = ${versionId}, updated_at = clock_timestamp()
    where id = ${pluginId}`;
}

/** Finds the version in any project that the transaction may read. */
export async function findPluginVersion(
  sql: Sql,
  versionId: string,
): Promise<StoredPluginVersion | undefined> {
  const [row] = await sql<VersionRow[]>`
    ${selectedVersions(sql)} where plugin_versions.id = ${versionId}`;
  return row && readVersion(row);
}

export async function listPluginVersions(
  sql: Sql,
  pluginId: string,
): Promise<StoredPluginVersion[]> {
  const rows = await sql<VersionRow[]>`
    ${selectedVersions(sql)} where plugins.id = ${pluginId} order by plugin_versions.number`;
  return rows.map(readVersion);
}

/** With `hold`, the versions cannot be deleted before the transaction ends. */
export async function findPluginVersions(
  sql: Sql,
  projectId: string,
  versionIds: readonly string[],
  lock: 'hold' | 'read' = 'read',
): Promise<StoredPluginVersion[]> {
  const rows = await sql<VersionRow[]>`
    ${selectedVersions(sql)}
    where plugins.project_id = ${projectId} and plugin_versions.id = any (${versionIds as string[]})
    order by plugins.id ${lock === 'hold' ? sql`for key share of plugins` : sql``}`;
  return rows.map(readVersion);
}

/** The caller must hold the plugin's lock, or have just created the plugin. */
export async function insertPluginVersion(
  sql: Sql,
  organizationId: string,
  version: Pick<StoredPluginVersion, 'id' | 'pluginId' | 'number' | 'bundleHash'> & {
    readonly text: string;
  },
): Promise<void> {
  await sql`
    insert into plugin_versions ${sql({
      id: version.id,
      organization_id: organizationId,
      plugin_id: version.pluginId,
      number: version.number,
      content: version.text,
      bundle_hash: version.bundleHash,
    })}`;
}

type VersionRow = Omit<StoredPluginVersion, 'content' | 'isUnreadable'> & {
  readonly content: string;
};

function readVersion(row: VersionRow): StoredPluginVersion {
  const { servers, skills, ...content } = readRecord(row.content) ?? {};
  return isRecords(servers) && isRecords(skills)
    ? { ...row, content: { ...content, servers, skills } as unknown as PluginContent }
    : { ...row, content: { servers: [], skills: [] }, isUnreadable: true };
}

function isRecords(list: unknown): list is Document[] {
  return Array.isArray(list) && list.every(isRecord);
}

function selected(sql: Sql): Fragment {
  return sql`
    select id, project_id, name, display_name, description, active_version_id, created_at, updated_at
    from plugins`;
}

function selectedVersions(sql: Sql): Fragment {
  return sql`
    select plugin_versions.id, plugin_id, plugins.name, plugins.project_id, number, content,
      bundle_hash, plugin_versions.created_at
    from plugin_versions join plugins on plugins.id = plugin_versions.plugin_id`;
}
