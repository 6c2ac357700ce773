import type { OutputOf } from '@proofmark/contract';
import { refuseUnreadablePart } from '../../../../platform/operations/refuse-unreadable-part.ts';
import type { ClientWithConfig, StoredClient } from '../../store/clients.ts';

export function presentHost(client: StoredClient): OutputOf<'listHosts'>['items'][number] {
  return {
    id: client.id,
    name: client.name,
    hostConfigId: client.configId,
    modelId: client.modelId,
    serverCount: client.serverCount,
    createdAt: client.createdAt.getTime(),
    updatedAt: client.updatedAt.getTime(),
  };
}

export function presentHostDetail(client: ClientWithConfig): OutputOf<'getHost'> {
  refuseUnreadablePart(client);
  const { id, name, config } = client;
  return { id, name, config };
}
