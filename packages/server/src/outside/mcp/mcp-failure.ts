import type { FailureFacts, RefusalCode } from '@proofmark/domain';

export type McpFailureCode = Extract<
  RefusalCode,
  | 'FEATURE_NOT_SUPPORTED'
  | 'SERVER_UNREACHABLE'
  | 'TIMEOUT'
  | 'OAUTH_REQUIRED'
  | 'FORBIDDEN'
  | 'VALIDATION_ERROR'
  | 'RATE_LIMITED'
>;

/** A failure of an MCP server. The caller may see the message and the details. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly code: McpFailureCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Whether anything came back from the server, if code and details do not show it. */
  readonly answered: boolean | undefined;
  /** Milliseconds from sending a call to the failure. */
  durationMs: number | undefined;
  /** Milliseconds of that in which this process was paused. */
  stillMs: number | undefined;

  constructor(
    code: McpFailureCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    answered?: boolean,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.answered = answered;
  }
}

/** Returns the same failure, for a server that had begun to answer. */
export function afterAnswer(failure: McpFailure): McpFailure {
  return new McpFailure(failure.code, failure.message, failure.details, true);
}

/**
 * Returns the same failure, for a call that the server had accepted: sending it again could execute
 * it twice.
 */
export function afterBegin(failure: McpFailure): McpFailure {
  const { code, message, details, answered } = failure;
  return new McpFailure(code, message, { ...details, isBegun: true }, answered);
}

/** Returns the facts from which the rules decide whose failure it was. */
export function factsOf({ code, details, answered }: McpFailure): FailureFacts {
  const { reason, status, systemCode, mcpErrorCode, processEnd } = details;
  return { code, reason, status, systemCode, mcpErrorCode, processEnd, answered };
}
