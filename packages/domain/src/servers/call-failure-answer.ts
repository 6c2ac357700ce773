/**
 * The answer to a caller whose call of a server failed. If the server was reached, its error is
 * passed on, such as rejected parameters or an unknown method or resource. If no answer came, the
 * reason is CONNECT_FAILED, and `cause` states why.
 */
import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

export interface FailedCall {
  readonly code: RefusalCode;
  readonly message: string;
  /** The error details. While a resource is read, their field `asked` is `resources/read`. */
  readonly details: Readonly<Record<string, unknown>>;
}

export function callFailureAnswer(failed: FailedCall): Refusal {
  const { code, message } = failed;
  const { asked, ...details } = failed.details;
  const rpcCode = details['mcpErrorCode'];
  if (asked === readingResource && isMissingResource(rpcCode, message)) {
    const { path: _path, ...rest } = details;
    return { code: 'NOT_FOUND', message, details: { ...rest, reason: 'RESOURCE_NOT_FOUND' } };
  }
  if (rpcCode === methodNotFound) return { code: 'FEATURE_NOT_SUPPORTED', message, details };
  const reason = String(details['reason']);
  if (code === 'SERVER_UNREACHABLE' && nothingCame.has(reason)) {
    return { code, message, details: { ...details, reason: 'CONNECT_FAILED', cause: reason } };
  }
  return { code, message, details };
}

/** The value of `asked` in the error details while a session reads a resource. */
export const readingResource = 'resources/read';

/**
 * Whether the server lacks the resource. The protocol has an error code for this, but widespread
 * server libraries report invalid parameters or code 0, so that only the message tells.
 */
function isMissingResource(rpcCode: unknown, message: string): boolean {
  if (rpcCode === resourceNotFound) return true;
  const isVague = rpcCode === invalidParams || rpcCode === 0;
  return isVague && /\bresource\b.{0,2000}\bnot found\b|\bunknown resource\b/is.test(message);
}

const methodNotFound = -32601;
const invalidParams = -32602;
const resourceNotFound = -32002;

const nothingCame: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'TLS',
  'CONNECTION_CLOSED',
  'COMMAND_NOT_FOUND',
  'COMMAND_FAILED',
]);
