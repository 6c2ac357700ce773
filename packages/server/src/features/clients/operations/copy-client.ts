/**
 * Copies the current config of a client into a new client. Both operations that duplicate a client
 * call this function.
 */
import { copiedName } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { refuseUnreadablePart } from '../../../platform/operations/refuse-unreadable-part.ts';
import { type ClientWithConfig, insertClient, listClientNames } from '../store/clients.ts';
import { findHost } from './find-client.ts';

export async function copyClient(
  sql: Sql,
  context: ProjectContext,
  source: ClientWithConfig,
  name: string | undefined,
): Promise<ClientWithConfig> {
  refuseUnreadablePart(source);
  const { project } = context;
  if (source.modelId.trim() === '') {
    refuse({
      code: 'CONFLICT',
      message: 'This client has no model; set its model before you copy it.',
      details: { reason: 'CLIENT_HAS_NO_MODEL' },
    });
  }
  const id = context.newId('client');
  await insertClient(sql, {
    id,
    organizationId: project.organizationId,
    projectId: project.id,
    name: name ?? copiedName(source.name, await listClientNames(sql, project.id)),
    config: source.config,
  });
  await recordAudit(sql, context, {
    action: 'client.duplicated',
    subjectId: id,
    details: { sourceId: source.id },
  });
  return findHost(sql, project.id, id);
}
