import type { Answer } from './request-exchange.ts';

/** What is no HTTP, or no request to a server, gets the error shape too; then the connection is closed. */
export const malformedRequest = {
  status: 400,
  body: JSON.stringify({
    code: 'VALIDATION_ERROR',
    message: 'This is not a well-formed HTTP request.',
    details: { path: 'request' },
  }),
  headers: { connection: 'close' },
} as const satisfies Answer;

/** What did not arrive in time: whoever sends it is cut off, whether the headers were late or the body. */
export const lateRequest = {
  ...malformedRequest,
  body: JSON.stringify({
    code: 'VALIDATION_ERROR',
    message: 'The request did not arrive in time.',
    details: { path: 'request' },
  }),
} as const satisfies Answer;
