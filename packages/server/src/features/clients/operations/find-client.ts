/** The client of the path, or the one body that stands for every one that is not there. */
import { chooseClient, notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import * as clients from '../store/clients.ts';

/** By id, or by name. The lock is taken while choosing, so that the one chosen still has the name. */
export async function findClient(
  sql: Sql,
  projectId: string,
  reference: string,
  lock: clients.ClientLock = 'read',
): Promise<clients.ClientWithConfig> {
  const candidates = await clients.findClientCandidates(sql, projectId, reference, lock);
  const chosen = chooseClient(reference, candidates);
  if ('refusal' in chosen) return refuse(chosen.refusal);
  return (await clients.readClient(sql, projectId, chosen.client.id)) ?? refuse(notFound);
}

/** The older paths know ids only. */
export async function findHost(
  sql: Sql,
  projectId: string,
  hostId: string,
  lock: clients.ClientLock = 'read',
): Promise<clients.ClientWithConfig> {
  return (await clients.readClient(sql, projectId, hostId, lock)) ?? refuse(notFound);
}
