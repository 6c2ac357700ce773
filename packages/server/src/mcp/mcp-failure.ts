import type { RefusalCode } from '@proofmark/domain';

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

  constructor(
    code: McpFailureCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
