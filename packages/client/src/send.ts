/** One request with its retries: the small core under every method. */
import type { ErrorBody } from '@proofmark/contract';
import type { CallOptions, ClientOptions } from './client.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { mayRetry, parseRetryAfter, retryDelayMs } from './retry.ts';

export async function sendWithRetries(
  options: ClientOptions,
  method: string,
  url: string,
  body: unknown,
  call: CallOptions,
): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await sendOnce(options, method, url, body, call);
    if ('answer' in outcome) return outcome.answer;
    const { error } = outcome;
    const retryAfter = error instanceof ApiError ? error.retryAfterSeconds : undefined;
    const status = error instanceof ApiError ? error.status : 'broken';
    const delayMs = retryDelayMs(attempt, retryAfter, (options.random ?? Math.random)());
    if (
      attempt >= (options.maxRetries ?? 3) ||
      !mayRetry(method, status) ||
      delayMs === undefined
    ) {
      throw error;
    }
    await (options.sleep ?? sleep)(delayMs, call.signal);
  }
}

type Outcome = { answer: unknown } | { error: ApiError | ConnectionError };

async function sendOnce(
  options: ClientOptions,
  method: string,
  url: string,
  body: unknown,
  call: CallOptions,
): Promise<Outcome> {
  let text: string;
  let response: Response;
  try {
    response = await (options.fetch ?? globalThis.fetch)(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
        ...options.headers?.(),
        ...call.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(call.signal !== undefined && { signal: call.signal }),
    });
    text = await response.text();
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    return { error: new ConnectionError(url, cause) };
  }
  const parsed = parseJson(text);
  if (response.ok && parsed !== undefined) return { answer: parsed };
  if (response.ok) {
    const message = 'The answer is not JSON; is this address really Proofmark?';
    throw new ApiError(response.status, { message }, undefined);
  }
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
  return { error: new ApiError(response.status, (parsed ?? {}) as Partial<ErrorBody>, retryAfter) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
