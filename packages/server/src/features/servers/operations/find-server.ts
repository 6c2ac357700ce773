/**
 * Finds the server that the path names. A missing server and one of another project get the same
 * response.
 */
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

/** Locks the server for a change. Rejects a server that only the operator's file may change. */
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
