/**
 * A failure of the model: the provider is unreachable, rejects the key, limits the rate, or sends
 * an unreadable answer. It says nothing about the server under test. The message is written by us
 * and contains nothing that the provider sent.
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
  readonly attempts: number;

  constructor(reason: ModelFailureReason, message: string, attempts: number) {
    super(message);
    this.name = 'ModelFailure';
    this.reason = reason;
    this.attempts = attempts;
  }
}
