/**
 * The answer to a failed call of a server. If the server was reached, its error is passed on, such
 * as invalid parameters or an unknown method. If no answer came, the reason is CONNECT_FAILED, and
 * `cause` states the details.
 */
import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

export interface FailedCall {
  readonly code: RefusalCode;
  readonly message: string;
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

export const readingResource = 'resources/read';

/**
 * Returns whether the server lacks the resource. The protocol has an error code for this.
 * Widespread server libraries report invalid parameters or code 0 instead, so the message is
 * searched as well.
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
