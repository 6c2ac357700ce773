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

/** A failure of an MCP server. Its message and details may be shown to the caller. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly code: McpFailureCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Whether the server sent any answer. Undefined if the code and details already show it. */
  readonly answered: boolean | undefined;
  /** The milliseconds from sending the call to the failure. */
  durationMs: number | undefined;
  /** The part of `durationMs` in which this process was paused, in milliseconds. */
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

/** Returns the same failure, marked as having occurred after the server began to answer. */
export function afterAnswer(failure: McpFailure): McpFailure {
  return new McpFailure(failure.code, failure.message, failure.details, true);
}

/**
 * Returns the same failure, marked as having occurred after the server accepted the call. Sending
 * the call again could execute it twice.
 */
export function afterBegin(failure: McpFailure): McpFailure {
  const { code, message, details, answered } = failure;
  return new McpFailure(code, message, { ...details, isBegun: true }, answered);
}

export function factsOf({ code, details, answered }: McpFailure): FailureFacts {
  const { reason, status, systemCode, mcpErrorCode, processEnd, missingAbility } = details;
  return { code, reason, status, systemCode, mcpErrorCode, processEnd, missingAbility, answered };
}
