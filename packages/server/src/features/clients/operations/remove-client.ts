/**
 * Deletes a client unless an unarchived environment uses it. An archived environment reports the
 * missing client when it is resolved. Creating an environment locks the client, so no environment
 * can appear between the count and the deletion.
 */

import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { countLiveEnvironments } from '../../environments/index.ts';
import { deleteStoredClient, type StoredClient } from '../store/clients.ts';

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
