import type { OutputOf } from '@proofmark/contract';
import { maskUrl, type SavedProvider } from '@proofmark/domain';
import type { ConfiguredModels } from '../../../outside/model/model-gateway.ts';

type Entry = OutputOf<'setModelProvider'>;

export function presentProvider(saved: SavedProvider, isInForce: boolean): Entry {
  const { name, kind, apiKey, baseUrl, requestsAtOnce, revision } = saved;
  const isOwn = saved.organizationId !== null;
  return {
    name,
    kind,
    isInForce,
    requestsAtOnce,
    source: isOwn ? 'organization' : 'operator',
    baseUrl: isOwn && baseUrl !== null ? maskUrl(baseUrl) : null,
    hasKey: apiKey !== null,
    models: [...saved.models],
    revision: isOwn ? revision : null,
  };
}

export function presentConfigured(configured: ConfiguredModels): Entry {
  const { name, kind, hasKey, models, requestsAtOnce = null } = configured;
  return {
    name,
    kind,
    hasKey,
    models: [...models],
    requestsAtOnce,
    source: 'file',
    isInForce: true,
    baseUrl: null,
    revision: null,
  };
}
