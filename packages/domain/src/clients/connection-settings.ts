/**
 * How a client connects to one server. The saved server says how the server is reached by anyone, the defaults of the
 * client how this client reaches any server, its override how it reaches this one; what is nearer to the very
 * connection wins. So a client under test can present credentials of its own, and a header it does not mention stays
 * as it was saved. What a client declares of itself is its own alone: nothing of the saved server is added.
 */
import type { ClientConfig } from './client-config.ts';

export interface ConnectionSettings {
  readonly headers: Readonly<Record<string, string>>;
  /** The service's own deadline when absent. */
  readonly timeoutMs?: number;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** The one version the client speaks; negotiated when absent. */
  readonly protocolVersion?: string;
  readonly paginationTraversal: 'full' | 'firstPageOnly';
}

export function connectionSettings(
  config: ClientConfig,
  server: {
    readonly id: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number | null;
  },
): ConnectionSettings {
  const defaults = config.connectionDefaults;
  const override = config.serverConnectionOverrides?.[server.id];
  const timeoutMs =
    override?.requestTimeoutOverride ?? defaults?.requestTimeout ?? server.timeoutMs ?? undefined;
  const version = override?.mcpProtocolVersionOverride ?? config.mcpProfile?.mcpProtocolVersion;
  return {
    headers: mergeHeaders(server.headers, defaults?.headers, override?.headersOverride),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    clientCapabilities: config.clientCapabilities,
    ...(version === undefined || version === 'auto' ? {} : { protocolVersion: version }),
    paginationTraversal: config.mcpProfile?.paginationTraversal ?? 'full',
  };
}

/** Later ones win, whatever the case of the name, which is then written as the winner wrote it. */
function mergeHeaders(
  ...layers: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const layer of layers) {
    for (const header of Object.entries(layer ?? {})) merged.set(header[0].toLowerCase(), header);
  }
  return Object.fromEntries(merged.values());
}
