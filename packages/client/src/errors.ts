import type { ErrorBody } from '@proofmark/contract';

/** An error response of the service. Programs should use `code`; `message` is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorBody['code'] | (string & {});
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfterSeconds: number | undefined) {
    super(body.message ?? `The service answered with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.details = body.details ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class ConnectionError extends Error {
  constructor(url: string, cause: unknown) {
    super(`Could not reach ${new URL(url).origin}. Is the service running there?`, { cause });
    this.name = 'ConnectionError';
  }
}
