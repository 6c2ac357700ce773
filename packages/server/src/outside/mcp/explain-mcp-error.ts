/**
 * Turns errors into an McpFailure for the caller. The protocol library wraps errors, so the chain
 * of causes is searched for the first known error. HTTP errors are identified by their status,
 * never by the library's code. An unknown error means that the server sent an invalid answer.
 */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client';
import {
  bytesText,
  isRecord,
  missingCapabilityCode,
  mostMaxMessageMiB,
  type TaskError,
} from '@proofmark/domain';
import { EgressRefused } from '../egress/egress-refused.ts';
import { McpFailure } from './mcp-failure.ts';
import type { Secrets } from './secrets.ts';

export function explainMcpError(error: unknown, secrets: Secrets): McpFailure {
  const known = firstKnown(error);
  if (known instanceof McpFailure) return known;
  if (known instanceof EgressRefused) return ofEgress(known);
  if (known instanceof SdkHttpError) {
    const status = known.status ?? 0;
    return ofRpcErrorText(known.data.text, status, secrets) ?? ofStatus(status);
  }
  const version = unsupportedVersion(known);
  if (version !== undefined) {
    const message = `The server requires a version of the protocol that Proofmark does not know: ${secrets.quote(version)}`;
    return unreachable('PROTOCOL_VERSION', message);
  }
  if (known instanceof ProtocolError) return ofRpcError(known, secrets);
  if (known instanceof SdkError) return ofSdk(known);
  if (known instanceof SseError && known.code !== undefined) return ofStatus(known.code);
  return invalidAnswer();
}

export function ofStatus(status: number, retryAfter?: string | null): McpFailure {
  if (status === 401) {
    return new McpFailure(
      'OAUTH_REQUIRED',
      'The server needs an OAuth grant, or rejected its saved credentials (HTTP 401); import tokens, or correct its headers.',
      { status },
    );
  }
  if (status === 403) {
    return new McpFailure(
      'FORBIDDEN',
      'The server rejected the credentials (HTTP 403); correct its headers, or import other tokens.',
      {
        reason: 'CREDENTIALS_REJECTED',
        status,
      },
    );
  }
  if (status === 429) {
    const seconds = retryAfterSeconds(retryAfter);
    return unreachable(
      'TARGET_RATE_LIMITED',
      'The server is limiting the calls of Proofmark; try again later.',
      {
        status,
        ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
      },
    );
  }
  const isBusy = status === 503 && typeof retryAfter === 'string';
  return unreachable('HTTP_ERROR', `The server answered with HTTP ${status}.`, {
    status,
    ...(isBusy && { retryAfterSeconds: retryAfterSeconds(retryAfter) ?? 1 }),
  });
}

/** An error that a server answered, in JSON-RPC. */
interface AnsweredError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function ofRpcError(
  { code, message, data }: AnsweredError,
  secrets: Secrets,
  says = 'The server answered with an error',
): McpFailure {
  const errorText = secrets.quote(message.replace(/^MCP error -?\d+: /, ''));
  if (code === -32602) {
    return new McpFailure('VALIDATION_ERROR', `The server refused the parameters: ${errorText}`, {
      path: 'body',
      reason: 'INVALID_PARAMS',
      mcpErrorCode: code,
      mcpError: { code, message: errorText },
    });
  }
  return unreachable('SERVER_ERROR', `${says}: ${errorText}`, {
    mcpErrorCode: code,
    mcpError: { code, message: errorText },
    ...(code === missingCapabilityCode && { requiredCapabilities: requiredBy(data) }),
  });
}

export function ofTaskError(error: TaskError, secrets: Secrets): McpFailure {
  return ofRpcError(error, secrets, `The task of the call failed with the error ${error.code}`);
}

function requiredBy(data: unknown): unknown {
  return isRecord(data) ? data['requiredCapabilities'] : undefined;
}

export function unreachable(
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): McpFailure {
  return new McpFailure('SERVER_UNREACHABLE', message, { reason, ...details });
}

export function invalidAnswer(
  message = 'The server sent an answer that is not valid MCP.',
): McpFailure {
  return unreachable('INVALID_RESPONSE', message);
}

/** Returns the failure for an answer that exceeds our limit, which is not the server's fault. */
export function tooLarge(limit: number, unit: 'bytes' | 'values' = 'bytes'): McpFailure {
  const most = unit === 'bytes' ? bytesText(limit) : `${limit.toLocaleString('en-US')} values`;
  const message = `The server sent more than ${most}, the limit of Proofmark for one answer.`;
  return overLimit(message, limit, unit);
}

/** This limit can be raised for each server, so the message says how. */
export function messageTooLarge(limit: number): McpFailure {
  const isRaisable = limit < mostMaxMessageMiB * 1024 * 1024;
  const how = isRaisable
    ? `; \`maxMessageMiB\` of the server raises this limit, to at most ${mostMaxMessageMiB}`
    : '';
  const message = `The server sent more than ${bytesText(limit)} in one message, the limit of Proofmark${how}.`;
  return overLimit(message, limit, 'bytes');
}

export function tooDeep(limit: number): McpFailure {
  const message = `The server sent JSON that is nested more than ${limit} levels deep, the limit of Proofmark.`;
  return overLimit(message, limit, 'levels');
}

export function tooMany(limit: number, unit: 'items' | 'pages'): McpFailure {
  const message = `The server lists more than ${limit.toLocaleString('en-US')} ${unit}, the limit of Proofmark for a list.`;
  return overLimit(message, limit, unit);
}

function overLimit(message: string, limit: number, unit: string): McpFailure {
  return unreachable('RESPONSE_TOO_LARGE', message, { limit, unit });
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk down a chain of causes with all of its ends.
function firstKnown(error: unknown): unknown {
  let current = error;
  let best: unknown = error;
  for (let depth = 0; depth < maxCauses && current instanceof Error; depth += 1) {
    if (current instanceof McpFailure || current instanceof EgressRefused) return current;
    if (current instanceof SdkHttpError) return current;
    best = current;
    const data: unknown = 'data' in current ? current.data : undefined;
    const hasCause = typeof data === 'object' && data !== null && 'cause' in data;
    current = current.cause ?? (hasCause ? data.cause : undefined);
    if (current === undefined) break;
  }
  return best === error || best instanceof ProtocolError ? best : firstOf(error, best);
}

function firstOf(outer: unknown, inner: unknown): unknown {
  return inner instanceof SdkError || inner instanceof SseError ? inner : outer;
}

/**
 * Returns the protocol versions that the server supports if this client supports none of them.
 * Returns undefined for other errors. During a handshake, the library has no error class for this,
 * so its message is parsed.
 */
function unsupportedVersion(error: unknown): string | undefined {
  if (error instanceof UnsupportedProtocolVersionError) {
    // The list comes from the server, so it may contain anything.
    const supported: unknown = error.supported;
    if (!Array.isArray(supported)) return '';
    return supported.filter((version) => typeof version === 'string').join(', ');
  }
  if (!(error instanceof Error)) return undefined;
  return /^Server's protocol version is not supported: (.*)$/s.exec(error.message)?.[1];
}

function ofEgress(refusal: EgressRefused): McpFailure {
  if (refusal.reason === 'TIMEOUT') return new McpFailure('TIMEOUT', refusal.message);
  const code = refusal.systemCode;
  return unreachable(
    refusal.reason,
    refusal.message,
    code === undefined ? {} : { systemCode: code },
  );
}

function ofSdk(error: SdkError): McpFailure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new McpFailure('TIMEOUT', 'The server did not answer in time.');
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return connectionClosed();
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return invalidAnswer(
        'The server answered with something that is neither JSON nor a stream of events.',
      );
    default:
      return invalidAnswer();
  }
}

export function connectionClosed(): McpFailure {
  return unreachable('CONNECTION_CLOSED', 'The server closed the connection before it answered.');
}

/**
 * The failure if a stdio server's process ended. It contains the exit code or signal, and the last
 * text that the process wrote.
 */
export function processEnded(
  exitCode: number | null,
  signal: string | null,
  stderrLine = '',
  isAwaited = true,
): McpFailure {
  const processEnd = exitCode === null ? (signal ?? 'unknown') : `exit code ${exitCode}`;
  const wrote = stderrLine === '' ? '' : ` It wrote: ${stderrLine}`;
  const when = isAwaited
    ? 'before it answered'
    : 'after its last answer, before it was asked again';
  const message = `The process of the server ended (${processEnd}) ${when}.${wrote}`;
  // These signals come from outside, for example from the operator or the kernel. The server is not
  // blamed for such an end, but for every other.
  const isKilled = signal !== null && killSignals.includes(signal);
  return unreachable('CONNECTION_CLOSED', message, isKilled ? {} : { processEnd });
}

const killSignals: readonly string[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];

function ofRpcErrorText(text: unknown, status: number, secrets: Secrets): McpFailure | undefined {
  const error = rpcErrorIn(text);
  if (error === undefined) return undefined;
  const { code, data } = error;
  const message = typeof error.message === 'string' ? error.message : '';
  const failure = ofRpcError({ code, message, data }, secrets);
  return new McpFailure(failure.code, failure.message, { ...failure.details, status });
}

/** Returns the JSON-RPC error in the body of an HTTP error, if there is one. */
export function rpcErrorOfHttp(error: unknown): ReturnType<typeof rpcErrorIn> {
  return error instanceof SdkHttpError ? rpcErrorIn(error.data.text) : undefined;
}

function rpcErrorIn(
  text: unknown,
): { readonly code: number; readonly message?: unknown; readonly data?: unknown } | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const error: unknown = JSON.parse(text)?.error;
    if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
    const { code } = error;
    return typeof code === 'number' && Number.isInteger(code) ? { ...error, code } : undefined;
  } catch {
    return undefined;
  }
}

function retryAfterSeconds(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value.trim())) return Number(value.trim());
  // `Retry-After` is either a number of seconds or a date.
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return seconds >= 0 && seconds < 1e6 ? seconds : undefined;
}

const maxCauses = 8;
