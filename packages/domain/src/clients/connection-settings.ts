/**
 * The settings of a client's connection to one server. The saved server's settings apply to every
 * client, the client's defaults to all of its servers, and the client's override to this server;
 * the more specific setting wins. So a client under test can send its own credentials, and a header
 * that it does not set keeps its saved value. Declared capabilities come from the client alone;
 * nothing of the saved server is added.
 */
import type { ClientConfig } from './client-config.ts';

export interface ConnectionSettings {
  readonly headers: Readonly<Record<string, string>>;
  /** (default: the service's own deadline) */
  readonly timeoutMs?: number;
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /** The only protocol version of the client (default: negotiated). */
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
 * Merges headers without regard to case. A later value wins, and the name is written as in the
 * winning layer.
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
