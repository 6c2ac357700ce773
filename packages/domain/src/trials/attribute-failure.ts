/**
 * Whose failure it was that a server could not be opened, as far as the shape of the failure tells. Ours: a name that
 * nobody could look up, an address we may not go to, credentials that were refused, and the two codes that are raised
 * on our own side (connection closed, request timed out). Theirs: a connection refused, reset or never accepted, TLS,
 * and HTTP 500 and above. Everything else is unknown.
 */
import type { Attribution, SetupSignal } from '../chain/trial-evidence.ts';

export interface FailureFacts {
  readonly code?: string | undefined;
  readonly reason?: unknown;
  readonly status?: unknown;
  readonly systemCode?: unknown;
  readonly mcpErrorCode?: unknown;
}

/** Raised on our own side, so they prove nothing about the server. */
export const connectionClosedCode = -32000;
export const requestTimedOutCode = -32001;

export function attributeFailure(failure: FailureFacts): Attribution {
  const { code, reason, status, systemCode } = failure;
  const mcpErrorCode = mcpErrorCodeOf(failure);
  if (code !== undefined && ourCodes.includes(code)) return 'ours';
  if (reason === 'EGRESS_BLOCKED' || status === 401 || status === 403) return 'ours';
  if (typeof systemCode === 'string') {
    if (systemCode === 'ENOTFOUND' || systemCode.startsWith('EAI_')) return 'ours';
    if (theirSystemCodes.includes(systemCode)) return 'theirs';
  }
  if (reason === 'TLS') return 'theirs';
  if (typeof status === 'number' && status >= 500) return 'theirs';
  const isTransportLocal =
    mcpErrorCode === connectionClosedCode || mcpErrorCode === requestTimedOutCode;
  return isTransportLocal ? 'ours' : 'unknown';
}

/**
 * The code of a call that got no result: the one the server sent, else that of a request that timed out or of a
 * connection that was lost. An answer that cannot be read, or one of HTTP alone, has none.
 */
export function mcpErrorCodeOf(failure: FailureFacts): number | undefined {
  const { code, reason, mcpErrorCode } = failure;
  if (typeof mcpErrorCode === 'number') return mcpErrorCode;
  if (code === 'TIMEOUT') return requestTimedOutCode;
  if (code !== undefined && ourCodes.includes(code)) return connectionClosedCode;
  return lostConnections.includes(String(reason)) ? connectionClosedCode : undefined;
}

/** Whether no connection was made at all, whatever was to be asked over it. */
export function isConnectFailure({ reason, systemCode }: FailureFacts): boolean {
  if (reason === 'TLS' || reason === 'EGRESS_BLOCKED') return true;
  if (typeof systemCode !== 'string') return false;
  return connectCodes.includes(systemCode) || systemCode.startsWith('EAI_');
}

/**
 * One signal for all servers: any failure is a failure; it is ours where one is ours, else unknown where one is
 * unknown, else theirs. Our way out counts as seen to work only where it was for every failure.
 */
export function foldSignals(signals: readonly SetupSignal[]): SetupSignal {
  const failed = signals.filter((signal) => !signal.ok);
  if (failed.length === 0) return { ok: true };
  const seen = new Set(failed.map(({ attribution }) => attribution));
  const attribution = attributionOrder.find((one) => seen.has(one)) ?? 'unknown';
  return {
    ok: false,
    attribution,
    egressVerified: failed.every(({ egressVerified }) => egressVerified),
  };
}

const attributionOrder: readonly Attribution[] = ['ours', 'unknown', 'theirs'];
const ourCodes: readonly string[] = ['OAUTH_REQUIRED', 'FORBIDDEN', 'RATE_LIMITED'];
const lostConnections: readonly string[] = [
  'CONNECTION_CLOSED',
  'UNREACHABLE',
  'TLS',
  'EGRESS_BLOCKED',
];
const connectCodes: readonly string[] = [
  'ENOTFOUND',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];
const theirSystemCodes: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
];
