/** What a journey or a swarm newly names as targets must be there, and an environment must not be archived. */
import { environmentConflictRefusal, notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { findClientNames } from '../../storage/environments/clients.ts';
import { findEnvironmentStates } from '../../storage/environments/environments.ts';
import { refuse } from '../action.ts';

export async function checkEnvironments(
  sql: Sql,
  projectId: string,
  environmentIds: readonly string[] | null | undefined,
): Promise<void> {
  if (!environmentIds) return;
  const found = await findEnvironmentStates(sql, projectId, environmentIds);
  if (environmentIds.some((id) => !found.has(id))) refuse(notFound);
  const environmentId = environmentIds.find((id) => found.get(id)?.isArchived);
  if (environmentId === undefined) return;
  const { details, ...archived } = environmentConflictRefusal({ conflict: 'ENV_ARCHIVED' });
  refuse({ ...archived, details: { ...details, reason: 'ENVIRONMENT_ARCHIVED', environmentId } });
}

export async function checkClients(
  sql: Sql,
  projectId: string,
  hostIds: readonly string[] | undefined,
): Promise<void> {
  if (hostIds === undefined) return;
  const found = await findClientNames(sql, projectId, hostIds);
  if (hostIds.some((id) => !found.has(id))) refuse(notFound);
}
