import type { TransportType } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

export interface NamedServer {
  readonly id: string;
  readonly name: string;
  readonly transportType: TransportType;
}

/**
 * Lists all servers of the project, or those with the given ids, without their settings.
 * `forKeyShare` prevents the deletion of these servers while another row that references them is
 * written.
 */
export async function listNamedServers(
  sql: Sql,
  projectId: string,
  serverIds?: readonly string[],
  lock: 'forKeyShare' | 'read' = 'read',
): Promise<NamedServer[]> {
  return sql<NamedServer[]>`
    select id, name, transport_type from servers where project_id = ${projectId}
      ${serverIds === undefined ? sql`` : sql`and id = any (${serverIds as string[]})`}
    order by created_at, id ${lock === 'read' ? sql`` : sql`for key share`}`;
}
