import type { Answer } from './exchange.ts';

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
