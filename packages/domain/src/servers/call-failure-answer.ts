/**
 * What whoever called a server is told when the call did not come about. A server that refused parameters, lacks the
 * method or the resource, or answered with any other error of its own was reached, and its answer is passed on. Where
 * nothing came back, the reason is CONNECT_FAILED and `cause` says what stood in the way.
 */
import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

export interface FailedCall {
  readonly code: RefusalCode;
  readonly message: string;
  /** Of what the server refused while a resource was read, `asked` says so. */
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

/** What a failure was about, as the session that met it says. */
export const readingResource = 'resources/read';

/**
 * The protocol has a code for it; servers built with widespread libraries refuse the parameter instead, or use code 0,
 * and only their sentence tells that the resource is not there.
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
