import type { ServerHealth } from '../doctor/server-health.ts';

/** A saved MCP server as the rules see it. What it is sealed with never appears here. */
export const transportTypes = ['http', 'stdio'] as const;
export type TransportType = (typeof transportTypes)[number];

export interface SavedServer {
  readonly id: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly transportType: TransportType;
  readonly url: string | null;
  readonly timeoutMs: number | null;
  /** Of one message of the server; null: the default. */
  readonly maxMessageMiB: number | null;
  readonly clientCapabilities: unknown;
  readonly useOAuth: boolean;
  readonly oauthScopes: readonly string[];
  readonly oauthResourceUrl: string | null;
  readonly clientId: string | null;
  readonly hasClientSecret: boolean;
  readonly headerNames: readonly string[];
  /** As its last examination found it; null where there was none since its address changed. */
  readonly health?: ServerHealth | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** stdio servers start a program on the host, so they come from the operator's file alone. */
export function isOperatorManaged(server: Pick<SavedServer, 'transportType'>): boolean {
  return server.transportType === 'stdio';
}

/** How large one message of a server may be, and how large anybody may allow it to be. */
export const defaultMaxMessageMiB = 4;
export const mostMaxMessageMiB = 32;

/** The server that comes with the service, to be tried before one's own. */
export const sampleServerName = 'Sample bookshop';
