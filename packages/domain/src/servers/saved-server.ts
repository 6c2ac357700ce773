import type { ServerHealth } from '../doctor/server-health.ts';

/**
 * A `SavedServer` contains no header values and no client secret, only the headers' names and
 * whether there is a client secret.
 */
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
  /** The size limit of one message from the server; null for the default. */
  readonly maxMessageMiB: number | null;
  readonly clientCapabilities: unknown;
  readonly useOAuth: boolean;
  readonly oauthScopes: readonly string[];
  readonly oauthResourceUrl: string | null;
  readonly clientId: string | null;
  readonly hasClientSecret: boolean;
  readonly headerNames: readonly string[];
  /**
   * The result of the latest examination; null if the server was not examined since its address
   * changed.
   */
  readonly health?: ServerHealth | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Returns whether only the operator's file may define the server. A stdio server runs a program on
 * the service's host, so users must not define one.
 */
export function isOperatorManaged(server: Pick<SavedServer, 'transportType'>): boolean {
  return server.transportType === 'stdio';
}

export const defaultMaxMessageMiB = 4;
export const mostMaxMessageMiB = 32;

export const sampleServerName = 'Sample bookshop';
