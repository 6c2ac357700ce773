/**
 * The reason why one request got no answer, derived from the HTTP exchange. The text that the
 * provider sent is dropped, since it may quote the key.
 */
import { type ModelParameterName, modelParameterNames } from '@proofmark/domain';
import type { EgressRefused } from '../egress/egress-refused.ts';
import { ModelFailure, type ModelFailureReason } from './model-failure.ts';

export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly reason: ModelFailureReason;
  /** True if the same request may succeed when it is sent again. */
  readonly isPassing: boolean;
  readonly retryAfterMs: number | undefined;
  /** The rest of the sentence “The model provider …”. */
  readonly what: string;
  /** Model parameters that the provider's answer mentions, by the names that Proofmark uses. */
  readonly named: readonly ModelParameterName[];

  constructor(
    reason: ModelFailureReason,
    what: string,
    isPassing: boolean,
    retryAfterMs?: number,
    named: readonly ModelParameterName[] = [],
  ) {
    super(reason);
    this.reason = reason;
    this.what = what;
    this.isPassing = isPassing;
    this.retryAfterMs = retryAfterMs;
    this.named = named;
  }

  /**
   * Returns the failure to report. If the response mentions parameters that the request set
   * (`stated`), the message names them as the likely cause.
   */
  toModelFailure(
    provider: string,
    attempts: number,
    stated: readonly ModelParameterName[] = [],
  ): ModelFailure {
    const sends = attempts > 1 ? ` It was called ${attempts} times.` : '';
    const named = this.named.filter((name) => stated.includes(name));
    const refused =
      named.length === 0
        ? ''
        : ` The answer names ${named.join(' and ')}: remove it, or choose another value.`;
    const message = `The model provider ${provider} ${this.what}${refused}${sends}`;
    return new ModelFailure(this.reason, message, attempts);
  }
}

export function failureOfStatus(
  status: number,
  retryAfterMs: number | undefined,
  body = '',
): SendFailure {
  if (status === 429) {
    return new SendFailure(
      'RATE_LIMITED',
      'limits the number of requests; send fewer at a time, or wait.',
      true,
      retryAfterMs,
    );
  }
  if (status >= 500 || status === 408) {
    const what = `failed (HTTP ${status}); try again later.`;
    return new SendFailure('PROVIDER_ERROR', what, true, retryAfterMs);
  }
  if (status === 401 || status === 402 || status === 403) {
    const what = `refuses the key (HTTP ${status}); check the key and its permissions.`;
    return new SendFailure('KEY_REFUSED', what, false);
  }
  if (status >= 400) {
    const what = `refuses the request (HTTP ${status}); check the name of the model and what it supports.`;
    return new SendFailure('REQUEST_REFUSED', what, false, undefined, parametersIn(body));
  }
  return unreadableReply();
}

/**
 * Returns the model parameters that a provider's answer mentions; nothing else of the answer is
 * stored.
 */
function parametersIn(body: string): ModelParameterName[] {
  const words = new Set(body.slice(0, readOfBody).match(/[A-Za-z]+(?:[_-][A-Za-z]+)*/g));
  return modelParameterNames.filter((name) => wireNames[name].some((word) => words.has(word)));
}

const readOfBody = 64 * 1024;

const wireNames: Readonly<Record<ModelParameterName, readonly string[]>> = {
  temperature: ['temperature'],
  topP: ['top_p', 'topP'],
  maxTokens: [
    'max_tokens',
    'max_completion_tokens',
    'maxOutputTokens',
    'max_output_tokens',
    'num_predict',
  ],
  seed: ['seed'],
  reasoningEffort: [
    ...['reasoning_effort', 'reasoningEffort', 'reasoning', 'effort', 'output_config', 'think'],
    ...['thinking', 'thinkingLevel', 'thinking_level', 'thinkingConfig'],
  ],
};

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

/**
 * Returns the SendFailure in an error or in its causes. The packages sometimes wrap the error that
 * their `fetch` throws.
 */
export function sendFailureIn(error: unknown): SendFailure | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof SendFailure) return current;
    current = current.cause;
  }
  return undefined;
}
