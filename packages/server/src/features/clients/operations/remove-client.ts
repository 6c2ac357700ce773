/**
 * Deletes a client unless a live environment uses it. Archived environments report the missing
 * client when they are resolved. The creation of an environment locks the client, so that no
 * environment appears between the count and the deletion.
 */

import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { countLiveEnvironments } from '../../environments/index.ts';
import { deleteStoredClient, type StoredClient } from '../store/clients.ts';

/** The caller must hold the lock of the client. */
export async function removeClient(
  sql: Sql,
  context: ProjectContext,
  { id }: StoredClient,
): Promise<{ id: string; deleted: true }> {
  const liveEnvironmentCount = await countLiveEnvironments(sql, id);
  if (liveEnvironmentCount > 0) {
    refuse({
      code: 'CONFLICT',
      message: 'Environments use this client; archive them or give them another client first.',
      details: { reason: 'CLIENT_IN_USE', liveEnvironmentCount },
    });
  }
  await deleteStoredClient(sql, context.project.id, id);
  await recordAudit(sql, context, { action: 'client.deleted', subjectId: id });
  return { id, deleted: true };
}
