/**
 * What whoever called a server is told when the call did not come about. A server that refused parameters, lacks the
 * method or the resource, or answered with any other error of its own was reached, and its answer is passed on. Where
 * nothing came back, the reason is CONNECT_FAILED and `cause` says what stood in the way.
 */
import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

export interface FailedCall {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type AskedOfServer = 'resource' | 'other';

export function answerToCaller(failed: FailedCall, asked: AskedOfServer = 'other'): Refusal {
  const { code, message, details } = failed;
  const rpcCode = details['mcpErrorCode'];
  if (asked === 'resource' && isMissingResource(rpcCode, message)) {
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

/**
 * The protocol has a code for it; servers built with widespread libraries refuse the parameter instead, and only their
 * sentence tells that the resource is not there.
 */
function isMissingResource(rpcCode: unknown, message: string): boolean {
  if (rpcCode === resourceNotFound) return true;
  return rpcCode === invalidParams && /\bnot found\b|\bunknown resource\b/i.test(message);
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
