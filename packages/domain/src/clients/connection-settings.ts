/**
 * The settings for a client's connection to one server. Three layers are merged: the saved server,
 * the client's defaults, and the client's override for this server. The more specific layer wins.
 * Declared capabilities come from the client alone.
 */
import type { ClientConfig } from './client-config.ts';

export interface ConnectionSettings {
  readonly headers: Readonly<Record<string, string>>;
  /** The request timeout in milliseconds (default: the service's own deadline). */
  readonly timeoutMs?: number;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** The only protocol version that the client accepts (default: negotiated). */
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

/**
 * Merges headers without regard to case. The later layer wins, and its spelling of the name is
 * used.
 */
function mergeHeaders(
  ...layers: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const layer of layers) {
    for (const header of Object.entries(layer ?? {})) merged.set(header[0].toLowerCase(), header);
  }
  return Object.fromEntries(merged.values());
}
