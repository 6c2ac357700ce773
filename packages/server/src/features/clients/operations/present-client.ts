import type { OutputOf } from '@proofmark/contract';
import type { Sql } from '../../../platform/database/database.ts';
import { refuseUnreadablePart } from '../../../platform/operations/refuse-unreadable-part.ts';
import type { ClientWithConfig, StoredClient } from '../store/clients.ts';
import { clientImpact } from './client-impact.ts';

export function presentClient(client: StoredClient): OutputOf<'listClients'>['items'][number] {
  return {
    id: client.id,
    name: client.name,
    configId: client.configId,
    modelId: client.modelId,
    serverCount: client.serverCount,
    // Null, because every client belongs to the whole project.
    ownerScope: null,
    hasComputer: client.hasComputer,
    createdAt: client.createdAt.getTime(),
    updatedAt: client.updatedAt.getTime(),
  };
}

export async function presentClientDetail(
  sql: Sql,
  client: ClientWithConfig,
): Promise<OutputOf<'getClient'>> {
  refuseUnreadablePart(client);
  return {
    ...presentClient(client),
    config: client.config,
    impact: { ...(await clientImpact(sql, client.id)) },
  };
}
