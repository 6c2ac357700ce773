/**
 * Decides who is at fault if a server gave no result.
 *
 * - Ours: an undeclared capability, an unresolved name, a forbidden address, a command that cannot be started, rejected
 *   credentials or calls, lost or timed-out requests, and answers beyond our limits.
 * - Theirs: any other answer, since an answer shows that the server was reached. If there was no
 *   answer: a connection that was refused, reset or never accepted, and TLS failures.
 * - Unknown: everything else.
 */
import type { Attribution, McpErrorOrigin, SetupSignal } from '../chain/trial-evidence.ts';

export interface FailureFacts {
  readonly code?: string | undefined;
  readonly reason?: unknown;
  readonly status?: unknown;
  readonly systemCode?: unknown;
  readonly mcpErrorCode?: unknown;
  readonly processEnd?: unknown;
  /** The capability that the server requires and the client does not declare. */
  readonly missingAbility?: unknown;
  /**
   * Whether a part of the answer arrived before the failure. If undefined, the other fields decide.
   */
  readonly answered?: boolean | undefined;
}

const connectionClosedCode = -32000;
const requestTimedOutCode = -32001;

export function attributeFailure(failure: FailureFacts): Attribution {
  const { code, reason, systemCode, missingAbility } = failure;
  if (isRefusal(failure) || isOurLimit(failure) || missingAbility !== undefined) return 'ours';
  if (wasAnswered(failure)) return 'theirs';
  if (ourReasons.includes(String(reason)) || code === 'TIMEOUT') return 'ours';
  if (typeof systemCode === 'string') {
    if (systemCode === 'ENOTFOUND' || systemCode.startsWith('EAI_')) return 'ours';
    if (theirSystemCodes.includes(systemCode)) return 'theirs';
  }
  return reason === 'TLS' ? 'theirs' : 'unknown';
}

/**
 * Whether the server's answer exceeded our limits on size, depth or length. Another client may
 * accept such an answer, so the server is not at fault.
 */
export function isOurLimit({ reason }: FailureFacts): boolean {
  return reason === 'RESPONSE_TOO_LARGE';
}

/**
 * Whether the server itself answered, even wrongly. An answer shows that Proofmark's outgoing
 * connections work.
 */
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
 * Whether a server or proxy rejected the credentials or the number of calls, or whether the
 * credentials could not be renewed. The tool was not executed, so nothing is known about it.
 */
export function isRefusal({ code, reason, status }: FailureFacts): boolean {
  if (code !== undefined && ourCodes.includes(code)) return true;
  return reason === 'TOKEN_NOT_RENEWED' || refusingStatuses.includes(status);
}

/**
 * Returns the error code of a call without a result, and the code's origin. The server's own code
 * wins over our codes for a timeout or a lost connection. An unreadable answer, a plain HTTP
 * answer, a rejection and an ended process have no code.
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

export function isConnectFailure(failure: FailureFacts): boolean {
  const { reason, systemCode } = failure;
  if (wasAnswered(failure)) return false;
  if (connectReasons.includes(String(reason))) return true;
  if (typeof systemCode !== 'string') return false;
  return connectCodes.includes(systemCode) || systemCode.startsWith('EAI_');
}

/**
 * Combines the set-up signals of all servers: one failure makes the whole set-up fail. The failure
 * is ours if any is ours, else unknown if any is unknown, else the servers'. Our outgoing
 * connections count as verified only if they were verified for every failure.
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
/** Failure reasons that are Proofmark's fault if no answer came. */
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
