/** Returns the server of the path, or the one response for every id that does not exist. */
import { isOperatorManaged, notFound, type SavedServer } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import * as servers from '../store/servers.ts';

export async function findServer(
  sql: Sql,
  { vault }: Pick<Database, 'vault'>,
  projectId: string,
  serverId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<SavedServer> {
  return (await servers.readServer(sql, vault, projectId, serverId, lock)) ?? refuse(notFound);
}

/**
 * Locks the server for the following write, and rejects it if only the operator's file may change
 * it.
 */
export async function findEditableServer(
  sql: Sql,
  { vault }: Pick<Database, 'vault'>,
  projectId: string,
  serverId: string,
): Promise<SavedServer> {
  const server =
    (await servers.readServer(sql, vault, projectId, serverId, 'forUpdate')) ?? refuse(notFound);
  if (isOperatorManaged(server)) {
    refuse({
      code: 'FORBIDDEN',
      message:
        'This server comes from the operator’s configuration file and can be changed only there.',
      details: { reason: 'OPERATOR_MANAGED' },
    });
  }
  return server;
}
