/**
 * Error codes with their HTTP status and meaning. The table is separate from the error's schema, so
 * that the API client can import the table without it.
 */
import type { RefusalCode } from '@proofmark/domain';

export const errorStatus = {
  UNAUTHORIZED: 401,
  OAUTH_REQUIRED: 401,
  FORBIDDEN: 403,
  VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  FEATURE_NOT_SUPPORTED: 422,
  RATE_LIMITED: 429,
  SERVER_UNREACHABLE: 502,
  TIMEOUT: 504,
  INTERNAL_ERROR: 500,
} as const satisfies Readonly<Record<RefusalCode, number>>;

export const errorMeaning: Readonly<Record<RefusalCode, string>> = {
  UNAUTHORIZED: 'The key is missing, malformed, unknown, revoked, expired or orphaned.',
  OAUTH_REQUIRED: 'The target MCP server needs an OAuth grant.',
  FORBIDDEN: 'The caller is known but not allowed to do this, or a feature is switched off.',
  VALIDATION_ERROR: 'The body or a parameter is malformed; details.path names the place.',
  NOT_FOUND: 'There is no such project, server or resource for this caller.',
  CONFLICT: 'The resource is not in a state that accepts the write; read it again.',
  FEATURE_NOT_SUPPORTED: 'The target MCP server lacks the capability.',
  RATE_LIMITED: 'Too many requests; Retry-After gives the seconds to wait.',
  SERVER_UNREACHABLE: 'The target MCP server could not be reached.',
  TIMEOUT: 'The target MCP server connected but did not answer in time.',
  INTERNAL_ERROR: 'The service failed; the operator can find details.requestId in the log.',
};
