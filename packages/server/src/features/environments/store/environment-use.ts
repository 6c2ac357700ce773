/**
 * Lists at most twenty unarchived environments that use a server attachment or skill, so that a
 * deletion can be rejected. The caller must have locked the attachment or skill. Otherwise another
 * environment could start to use it meanwhile.
 */
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { isNamed } from './environments.ts';

export function serverAttachmentUsers(sql: Sql, serverAttachmentId: string): Promise<string[]> {
  return users(sql, sql`server_attachment_id = ${serverAttachmentId}`);
}

export function pluginUsers(sql: Sql, pluginId: string): Promise<string[]> {
  return users(
    sql,
    sql`exists (
      select from plugin_versions
      where plugin_id = ${pluginId} and id = any (environments.plugin_version_ids)
    )`,
  );
}

/** Finds environments that list the skill itself, or a plugin version that contains it. */
export function skillUsers(sql: Sql, skillId: string): Promise<string[]> {
  return users(
    sql,
    sql`(${skillId} = any (skill_ids) or exists (
      select from plugin_versions
      where id = any (environments.plugin_version_ids)
        and content::jsonb -> 'skills' @> jsonb_build_array(jsonb_build_object('skillId', ${skillId}::text))
    ))`,
  );
}

async function users(sql: Sql, condition: Fragment): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from environments where archived_at is null and ${isNamed(sql)} and ${condition}
    order by created_at, id limit 20`;
  return rows.map(({ id }) => id);
}

export async function countScenariosOfClient(sql: Sql, clientId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from scenarios join environments on environments.id = environment_id
    where host_id = ${clientId} and unpublished_at is null`;
  return row?.count ?? 0;
}
