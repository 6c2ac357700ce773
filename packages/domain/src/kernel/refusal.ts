/**
 * The closed vocabulary of refusals, which the HTTP API maps to statuses. A refusal's message is
 * public: it never contains a secret, a query, a path of the host or another tenant's data.
 */
export const refusalCodes = [
  'UNAUTHORIZED',
  'OAUTH_REQUIRED',
  'FORBIDDEN',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'FEATURE_NOT_SUPPORTED',
  'RATE_LIMITED',
  'SERVER_UNREACHABLE',
  'TIMEOUT',
  'INTERNAL_ERROR',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Fields that published clients expect in addition to the three fields of every error. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

export class Refused extends Error {
  readonly refusal: Refusal;
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Refusal, headers: Readonly<Record<string, string>> = {}) {
    super(refusal.message);
    this.name = 'Refused';
    this.refusal = refusal;
    this.headers = headers;
  }
}

export class FailedWithDetails extends Error {
  readonly details: Readonly<Record<string, unknown>>;

  constructor(details: Readonly<Record<string, unknown>>, cause: unknown) {
    super('The service failed.', { cause });
    this.name = 'FailedWithDetails';
    this.details = details;
  }
}

/**
 * The refusal for every unknown id, and for ids of another tenant. Equal bodies keep callers from
 * learning which ids exist.
 */
export const notFound: Refusal = { code: 'NOT_FOUND', message: 'The resource was not found.' };

export function invalid(
  path: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): Refusal {
  return { code: 'VALIDATION_ERROR', message, details: { path, ...details } };
}
