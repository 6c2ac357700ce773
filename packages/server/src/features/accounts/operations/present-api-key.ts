import type { OutputOf } from '@proofmark/contract';
import type { StoredApiKey } from '../../../platform/accounts/store/api-keys.ts';

export function presentApiKey(apiKey: StoredApiKey): OutputOf<'revokeApiKey'> {
  return {
    id: apiKey.id,
    name: apiKey.name,
    organizationId: apiKey.organizationId,
    start: apiKey.start,
    scope: apiKey.scope,
    createdAt: apiKey.createdAt.getTime(),
    expiresAt: apiKey.expiresAt?.getTime() ?? null,
    isExpired: apiKey.isExpired,
    lastUsedAt: apiKey.lastUsedAt?.getTime() ?? null,
    revokedAt: apiKey.revokedAt?.getTime() ?? null,
  };
}
