/**
 * Rejects newly added references of a journey or a swarm if the target does not exist or is an
 * archived environment. Existing references are not checked again.
 */
import { environmentConflictRefusal, notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { findClientNames } from '../../clients/index.ts';
import { findEnvironmentStates } from '../../environments/index.ts';
import { readServerAttachment } from '../../servers/index.ts';

export async function checkTargets(
  sql: Sql,
  projectId: string,
  named: {
    readonly environmentIds?: readonly string[] | null | undefined;
    readonly hostIds?: readonly string[] | undefined;
    readonly serverAttachmentId?: string | null | undefined;
  },
): Promise<void> {
  const { serverAttachmentId } = named;
  const environmentIds = named.environmentIds ?? [];
  const hostIds = named.hostIds ?? [];
  const environments = await findEnvironmentStates(sql, projectId, environmentIds);
  if (environmentIds.some((id) => !environments.has(id))) refuse(notFound);
  const clients = await findClientNames(sql, projectId, hostIds);
  if (hostIds.some((id) => !clients.has(id))) refuse(notFound);
  if (typeof serverAttachmentId === 'string') {
    const held = await readServerAttachment(sql, projectId, serverAttachmentId, 'forKeyShare');
    if (held === undefined) refuse(notFound);
  }
  const environmentId = environmentIds.find((id) => environments.get(id)?.isArchived);
  if (environmentId === undefined) return;
  const { details, ...archived } = environmentConflictRefusal({ conflict: 'ENV_ARCHIVED' });
  refuse({ ...archived, details: { ...details, reason: 'ENVIRONMENT_ARCHIVED', environmentId } });
}
