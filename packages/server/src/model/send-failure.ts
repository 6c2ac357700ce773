/**
 * Why one request did not bring an answer, told by the HTTP exchange itself. Whatever the provider wrote is gone by
 * then: an error of a provider can quote the key it was sent.
 */
import type { EgressRefused } from '../egress/egress-refused.ts';
import { ModelFailure, type ModelFailureReason } from './model-failure.ts';

export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly reason: ModelFailureReason;
  /** Whether the same request may succeed when it is sent again. */
  readonly isPassing: boolean;
  /** What the provider asks us to wait. */
  readonly retryAfterMs: number | undefined;
  /** Completes the sentence “The model provider …”. */
  readonly what: string;

  constructor(reason: ModelFailureReason, what: string, isPassing: boolean, retryAfterMs?: number) {
    super(reason);
    this.reason = reason;
    this.what = what;
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
  }

  toModelFailure(provider: string, attempts: number): ModelFailure {
    const sends = attempts > 1 ? ` It was asked ${attempts} times.` : '';
    const message = `The model provider ${provider} ${this.what}${sends}`;
    return new ModelFailure(this.reason, message, attempts);
  }
}

export function failureOfStatus(status: number, retryAfterMs: number | undefined): SendFailure {
  if (status === 429) {
    return new SendFailure(
      'RATE_LIMITED',
      'limits how much may be asked; ask less at a time or wait.',
      true,
      retryAfterMs,
    );
  }
  if (status >= 500 || status === 408) {
    const what = `has a failure of its own (HTTP ${status}); try again later.`;
    return new SendFailure('PROVIDER_ERROR', what, true, retryAfterMs);
  }
  if (status === 401 || status === 402 || status === 403) {
    const what = `refuses the key (HTTP ${status}); check the key and what it may use.`;
    return new SendFailure('KEY_REFUSED', what, false);
  }
  if (status >= 400) {
    const what = `refuses the request (HTTP ${status}); check the name of the model and what it supports.`;
    return new SendFailure('REQUEST_REFUSED', what, false);
  }
  return unreadableReply();
}

export function failureOfEgress({ reason, systemCode }: EgressRefused): SendFailure {
  switch (reason) {
    case 'TIMEOUT':
      return new SendFailure('TIMEOUT', 'did not answer in time.', false);
    case 'RESPONSE_TOO_LARGE':
      return new SendFailure('INVALID_RESPONSE', 'sent a larger answer than is allowed.', false);
    case 'INVALID_RESPONSE':
      return unreadableReply();
    case 'EGRESS_BLOCKED':
      return new SendFailure(
        'PROVIDER_UNREACHABLE',
        'is at an address that is not allowed; ask the operator to allow it.',
        false,
      );
    case 'TLS':
      return new SendFailure(
        'PROVIDER_UNREACHABLE',
        'cannot be reached by a secure connection; check its certificate.',
        false,
      );
    case 'UNREACHABLE': {
      const code = systemCode === undefined ? '' : ` (${systemCode})`;
      return new SendFailure(
        'PROVIDER_UNREACHABLE',
        `could not be reached${code}; check its address and that it is running.`,
        true,
      );
    }
  }
}

export function unreadableReply(): SendFailure {
  return new SendFailure('INVALID_RESPONSE', 'sent an answer that cannot be read.', false);
}

/** The packages hand on what their fetch threw, at times as the cause of an error of their own. */
export function sendFailureIn(error: unknown): SendFailure | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof SendFailure) return current;
    current = current.cause;
  }
  return undefined;
}
