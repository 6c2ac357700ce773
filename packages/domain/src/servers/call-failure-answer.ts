/**
 * The answer to a caller whose call of a server failed. A server that rejected parameters, lacks
 * the method or the resource, or answered with any other error was reached, and its answer is
 * passed on. If no answer came, the reason is CONNECT_FAILED, and `cause` names the obstacle.
 */
import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

export interface FailedCall {
  readonly code: RefusalCode;
  readonly message: string;
  /** If the server rejected the reading of a resource, `asked` contains that. */
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

/** The value of `asked` that a session sets while it reads a resource. */
export const readingResource = 'resources/read';

/**
 * Whether the server lacks the resource. The protocol has a code for it; servers with widespread
 * libraries reject the parameter instead, or use code 0, and only their message shows it.
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
