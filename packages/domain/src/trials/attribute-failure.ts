/**
 * The side at fault if a server gave no result, as far as the shape of the failure shows. Ours: a
 * name that could not be resolved, a forbidden address, a command that cannot be started, rejected
 * credentials or calls, codes of our own transport for lost or timed-out requests, and answers
 * beyond our limits. Theirs: anything else that came back, since the server was then reached; and
 * if nothing came back, a connection that was refused, reset or never accepted, and TLS. Everything
 * else is unknown.
 */
import type { Attribution, McpErrorOrigin, SetupSignal } from '../chain/trial-evidence.ts';

export interface FailureFacts {
  readonly code?: string | undefined;
  readonly reason?: unknown;
  readonly status?: unknown;
  readonly systemCode?: unknown;
  /** A code that came over the wire. */
  readonly mcpErrorCode?: unknown;
  /** How the server's process ended, if it ended by itself. */
  readonly processEnd?: unknown;
  /**
   * Whether a part of the answer came before the failure, if the failure itself does not show that.
   */
  readonly answered?: boolean | undefined;
}

/** Codes of our own transport for a lost call. */
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
 * Whether the server sent more than we read: larger, deeper or longer than our limits. Another
 * client may accept it, so nothing is known about the server.
 */
export function isOurLimit({ reason }: FailureFacts): boolean {
  return reason === 'RESPONSE_TOO_LARGE';
}

/** Whether the server itself answered, even wrongly: then it was reached, and our egress works. */
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
 * Whether the server or a proxy rejected credentials or too many calls, or credentials could not be
 * renewed. Nothing was executed, so nothing is known about the tool.
 */
export function isRefusal({ code, reason, status }: FailureFacts): boolean {
  if (code !== undefined && ourCodes.includes(code)) return true;
  return reason === 'TOKEN_NOT_RENEWED' || refusingStatuses.includes(status);
}

/**
 * Returns the code of a call without a result, and its origin. The server's own code comes first,
 * then the code of a timeout or of a lost connection. An unreadable answer, a plain HTTP answer, a
 * rejection and an ended process have no code.
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

/** Whether no connection was made, for any request. */
export function isConnectFailure(failure: FailureFacts): boolean {
  const { reason, systemCode } = failure;
  if (wasAnswered(failure)) return false;
  if (connectReasons.includes(String(reason))) return true;
  if (typeof systemCode !== 'string') return false;
  return connectCodes.includes(systemCode) || systemCode.startsWith('EAI_');
}

/**
 * Combines the signals of all servers: any failure is a failure. It is ours if one is ours, else
 * unknown if one is unknown, else theirs. Our egress counts as working only if it worked in every
 * failure.
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
/** Reasons of failures without any answer. */
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
