import type { OutputOf } from '@proofmark/contract';
import type { StoredApiKey } from '../../storage/accounts/api-keys.ts';

export function presentApiKey(apiKey: StoredApiKey): OutputOf<'revokeApiKey'> {
  return {
    id: apiKey.id,
    name: apiKey.name,
    organizationId: apiKey.organizationId,
    start: apiKey.start,
    createdAt: apiKey.createdAt.getTime(),
    revokedAt: apiKey.revokedAt?.getTime() ?? null,
  };
}
