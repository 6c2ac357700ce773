import type { Answer } from './request-exchange.ts';

/**
 * The answer to malformed HTTP, and to a request that has no path or not exactly one host. The
 * connection is then closed.
 */
export const malformedRequest = {
  status: 400,
  body: JSON.stringify({
    code: 'VALIDATION_ERROR',
    message: 'This is not a well-formed HTTP request.',
    details: { path: 'request' },
  }),
  headers: { connection: 'close' },
} as const satisfies Answer;

/**
 * The answer to a request whose headers or body did not arrive in time. The connection is then
 * closed.
 */
export const lateRequest = {
  ...malformedRequest,
  body: JSON.stringify({
    code: 'VALIDATION_ERROR',
    message: 'The request did not arrive in time.',
    details: { path: 'request' },
  }),
} as const satisfies Answer;
