import type { ServerHealth } from '../doctor/server-health.ts';

/** A saved MCP server in the rules, without its sealed values. */
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
  /** The size limit of one message of the server; null for the default. */
  readonly maxMessageMiB: number | null;
  readonly clientCapabilities: unknown;
  readonly useOAuth: boolean;
  readonly oauthScopes: readonly string[];
  readonly oauthResourceUrl: string | null;
  readonly clientId: string | null;
  readonly hasClientSecret: boolean;
  readonly headerNames: readonly string[];
  /** The result of its last examination; null if there was none since its address changed. */
  readonly health?: ServerHealth | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Whether only the operator's file can define the server: a stdio server starts a program on the
 * host.
 */
export function isOperatorManaged(server: Pick<SavedServer, 'transportType'>): boolean {
  return server.transportType === 'stdio';
}

/** The default size limit of a server's message, and the largest one that can be set. */
export const defaultMaxMessageMiB = 4;
export const mostMaxMessageMiB = 32;

/** The server that comes with the service, for first trials. */
export const sampleServerName = 'Sample bookshop';
