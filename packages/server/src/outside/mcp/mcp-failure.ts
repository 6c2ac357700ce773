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

/** What an MCP server did, or did not do. Message and details may be shown to whoever called. */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly code: McpFailureCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Whether something came back from the server, where code and details do not tell. */
  readonly answered: boolean | undefined;
  /** Of a call: from sending it to the failure. */
  durationMs: number | undefined;
  /** How much of that this process stood still. */
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

/** The same failure, of a server that had begun to answer. */
export function afterAnswer(failure: McpFailure): McpFailure {
  return new McpFailure(failure.code, failure.message, failure.details, true);
}

/** The same failure, of a call that the server had taken up: sending it again could do its work twice. */
export function afterBegin(failure: McpFailure): McpFailure {
  const { code, message, details, answered } = failure;
  return new McpFailure(code, message, { ...details, isBegun: true }, answered);
}

/** What the rules need to know to say whose failure it was. */
export function factsOf({ code, details, answered }: McpFailure): FailureFacts {
  const { reason, status, systemCode, mcpErrorCode, processEnd } = details;
  return { code, reason, status, systemCode, mcpErrorCode, processEnd, answered };
}
