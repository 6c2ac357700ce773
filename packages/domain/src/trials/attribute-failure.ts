/**
 * Whose failure it was that a server gave no result, as far as the shape of the failure tells. Ours: a name that could
 * not be looked up, an address we may not connect to, a command that cannot be started, refused credentials, refused
 * calls, codes that our own transport gives to lost or timed-out requests, and answers of which we read no more. Theirs:
 * whatever else came back, since who
 * answered was reached; and where nothing did, a connection refused, reset or never accepted, and TLS. Everything else
 * is unknown.
 */
import type { Attribution, McpErrorOrigin, SetupSignal } from '../chain/trial-evidence.ts';

export interface FailureFacts {
  readonly code?: string | undefined;
  readonly reason?: unknown;
  readonly status?: unknown;
  readonly systemCode?: unknown;
  /** Came over the wire. */
  readonly mcpErrorCode?: unknown;
  /** How the process of a server ended, if it ended by itself. */
  readonly processEnd?: unknown;
  /** Whether something came back before it broke off, where the failure itself does not tell. */
  readonly answered?: boolean | undefined;
}

/** What our own transport says of a call that it lost. */
const connectionClosedCode = -32000;
const requestTimedOutCode = -32001;

export function attributeFailure(failure: FailureFacts): Attribution {
  const { code, reason, systemCode } = failure;
  if (isRefusal(failure) || isOurLimit(failure)) return 'ours';
  if (wasAnswered(failure)) return 'theirs';
  if (ourReasons.includes(String(reason)) || code === 'TIMEOUT') return 'ours';
  if (typeof systemCode === 'string') {
    if (systemCode === 'ENOTFOUND' || systemCode.startsWith('EAI_')) return 'ours';
    if (theirSystemCodes.includes(systemCode)) return 'theirs';
  }
  return reason === 'TLS' ? 'theirs' : 'unknown';
}

/**
 * Whether the server sent more than we read of it: larger, deeper or longer than a limit of ours. Another client may take
 * it all, so nothing is known of the server.
 */
export function isOurLimit({ reason }: FailureFacts): boolean {
  return reason === 'RESPONSE_TOO_LARGE';
}

/** Whether the server itself said something, be it wrong: then it was reached, and our egress works. */
export function wasAnswered(failure: FailureFacts): boolean {
  const { code, reason, status, mcpErrorCode, processEnd, answered } = failure;
  if (isRefusal(failure) || answered === false) return false;
  return (
    answered === true ||
    typeof status === 'number' ||
    typeof mcpErrorCode === 'number' ||
    typeof processEnd === 'string' ||
    (code !== undefined && answerCodes.includes(code)) ||
    answerReasons.includes(String(reason))
  );
}

/**
 * Credentials that were refused by the server or a proxy or could not be renewed, and too many calls: nothing was
 * executed, so nothing is known of the tool.
 */
export function isRefusal({ code, reason, status }: FailureFacts): boolean {
  if (code !== undefined && ourCodes.includes(code)) return true;
  return reason === 'TOKEN_NOT_RENEWED' || refusingStatuses.includes(status);
}

/**
 * The code of a call that got no result, and whose it is. The server's own code comes first; without one it is the code
 * of a timeout or of a lost connection. An answer that cannot be read, one of HTTP alone, a refusal and a process that
 * ended have none.
 */
export function mcpErrorOf(
  failure: FailureFacts,
): { readonly code: number; readonly origin: McpErrorOrigin } | undefined {
  const { code, reason, status, mcpErrorCode, processEnd } = failure;
  if (typeof mcpErrorCode === 'number') return { code: mcpErrorCode, origin: 'theirs' };
  if (code === 'TIMEOUT') return { code: requestTimedOutCode, origin: 'ours' };
  const isLost =
    lostConnections.includes(String(reason)) &&
    typeof status !== 'number' &&
    typeof processEnd !== 'string';
  return isLost ? { code: connectionClosedCode, origin: 'ours' } : undefined;
}

/** Whether no connection was made at all, whatever was to be asked over it. */
export function isConnectFailure(failure: FailureFacts): boolean {
  const { reason, systemCode } = failure;
  if (wasAnswered(failure)) return false;
  if (connectReasons.includes(String(reason))) return true;
  if (typeof systemCode !== 'string') return false;
  return connectCodes.includes(systemCode) || systemCode.startsWith('EAI_');
}

/**
 * One signal for all servers: any failure is a failure; it is ours where one is ours, else unknown where one is
 * unknown, else theirs. Our egress counts as seen to work only where it was for every failure.
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
const refusingStatuses: readonly unknown[] = [401, 403, 407, 429];
const answerCodes: readonly string[] = ['VALIDATION_ERROR', 'FEATURE_NOT_SUPPORTED'];
const answerReasons: readonly string[] = [
  'HTTP_ERROR',
  'SERVER_ERROR',
  'INVALID_RESPONSE',
  'RESPONSE_TOO_LARGE',
  'PROTOCOL_VERSION',
  'INPUT_REQUIRED',
];
/** Of failures in which nothing came back. */
const ourReasons: readonly string[] = [
  'EGRESS_BLOCKED',
  'COMMAND_NOT_FOUND',
  'COMMAND_FAILED',
  'CONNECTION_CLOSED',
  'PROTOCOL_VERSION',
];
const lostConnections: readonly string[] = [
  'CONNECTION_CLOSED',
  'UNREACHABLE',
  'TLS',
  'EGRESS_BLOCKED',
  'COMMAND_NOT_FOUND',
  'COMMAND_FAILED',
];
const connectReasons: readonly string[] = [
  'TLS',
  'EGRESS_BLOCKED',
  'COMMAND_NOT_FOUND',
  'COMMAND_FAILED',
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
