import type { SavedServer, ServerHealth } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

/**
 * Stores the findings only if the server was not changed during the examination, because they
 * describe the address that was examined.
 */
export async function storeServerHealth(
  sql: Sql,
  { id, projectId, updatedAt }: Pick<SavedServer, 'id' | 'projectId' | 'updatedAt'>,
  { status, failedCheck, checkedAtMs }: ServerHealth,
): Promise<void> {
  await sql`
    update servers set ${sql({
      health_status: status,
      health_failed_check: failedCheck,
      health_checked_at: new Date(checkedAtMs),
    })} where id = ${id} and project_id = ${projectId} and updated_at = ${updatedAt}`;
}

export async function forgetServerHealth(
  sql: Sql,
  { id, projectId }: Pick<SavedServer, 'id' | 'projectId'>,
): Promise<void> {
  await sql`
    update servers set health_status = null, health_failed_check = null, health_checked_at = null
    where id = ${id} and project_id = ${projectId} and health_status is not null`;
}

export async function forgetServerTrouble(
  sql: Sql,
  projectId: string,
  serverId: string,
): Promise<void> {
  await sql`
    update servers set health_status = null, health_failed_check = null, health_checked_at = null
    where id = ${serverId} and project_id = ${projectId} and health_status in ('error', 'oauth_required')`;
}

export function healthColumn(sql: Sql): Fragment {
  return sql`case when health_status is null then null else json_build_object(
    'status', health_status, 'failedCheck', health_failed_check,
    'checkedAtMs', floor(extract(epoch from health_checked_at) * 1000)) end as health`;
}
