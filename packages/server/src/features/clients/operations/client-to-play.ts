/**
 * Finds the client that the service imitates when it connects to a server. A client of another
 * project gets the same response as a missing one, so that callers cannot find out which clients
 * exist.
 */
import { chooseClient, invalid } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { refuseUnreadablePart } from '../../../platform/operations/refuse-unreadable-part.ts';
import { type ClientWithConfig, findClientCandidates, readClient } from '../store/clients.ts';

export async function findClientToPlay(
  sql: Sql,
  projectId: string,
  reference: string,
): Promise<ClientWithConfig> {
  const candidates = await findClientCandidates(sql, projectId, reference);
  const chosen = chooseClient(reference, candidates);
  if ('refusal' in chosen) {
    return refuse(chosen.refusal.code === 'CONFLICT' ? chosen.refusal : unknown);
  }
  const client = (await readClient(sql, projectId, chosen.client.id)) ?? refuse(unknown);
  refuseUnreadablePart(client);
  return client;
}

const unknown = invalid(
  'body.clientId',
  'This project does not contain this client; use the id or the name of one of its clients.',
);
