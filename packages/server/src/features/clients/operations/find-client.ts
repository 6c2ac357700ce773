/**
 * Finds the client that the path names. A client of another project and a missing client get the
 * same response.
 */
import { chooseClient, notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import * as clients from '../store/clients.ts';

/**
 * Finds by id or by name. The rows are locked before one is chosen, so that the chosen client
 * cannot be renamed meanwhile.
 */
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

/** Finds clients by id only, because the older API paths (`hosts`) accept no names. */
export async function findHost(
  sql: Sql,
  projectId: string,
  hostId: string,
  lock: clients.ClientLock = 'read',
): Promise<clients.ClientWithConfig> {
  return (await clients.readClient(sql, projectId, hostId, lock)) ?? refuse(notFound);
}
