import type { OutputOf } from '@proofmark/contract';
import { maskUrl, type SavedServer, type ServerHealth } from '@proofmark/domain';

/** Presents a server. Its addresses are masked, because they may contain secrets. */
export function presentServer(server: SavedServer): OutputOf<'getProjectServer'> {
  return {
    id: server.id,
    projectId: server.projectId,
    name: server.name,
    enabled: server.enabled,
    transportType: server.transportType,
    url: server.url && maskUrl(server.url),
    timeout: server.timeoutMs,
    maxMessageMiB: server.maxMessageMiB,
    clientCapabilities: server.clientCapabilities as Record<string, unknown> | null,
    useOAuth: server.useOAuth,
    oauthScopes: [...server.oauthScopes],
    oauthResourceUrl: server.oauthResourceUrl && maskUrl(server.oauthResourceUrl),
    clientId: server.clientId,
    hasClientSecret: server.hasClientSecret,
    headerNames: [...server.headerNames],
    ...(server.health && { health: presentServerHealth(server.health) }),
    createdAt: server.createdAt.getTime(),
    updatedAt: server.updatedAt.getTime(),
  };
}

export function presentServerHealth({ status, failedCheck, checkedAtMs }: ServerHealth) {
  return { status, failedCheck, checkedAt: checkedAtMs };
}
