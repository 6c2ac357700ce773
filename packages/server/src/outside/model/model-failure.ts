/**
 * The model could not answer: the provider is away, refuses the key, limits us, or sends what nobody can read. It
 * says nothing about the server under test. The message is our own and holds nothing of what the provider sent.
 */
const modelFailureReasons = [
  'PROVIDER_UNREACHABLE',
  'PROVIDER_ERROR',
  'RATE_LIMITED',
  'KEY_REFUSED',
  'REQUEST_REFUSED',
  'INVALID_RESPONSE',
  'TIMEOUT',
] as const;
export type ModelFailureReason = (typeof modelFailureReasons)[number];

export class ModelFailure extends Error {
  readonly reason: ModelFailureReason;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(reason: ModelFailureReason, message: string, attempts: number) {
    super(message);
    this.name = 'ModelFailure';
    this.reason = reason;
    this.attempts = attempts;
  }
}
