import { type ErrorBody, idempotencyKeyHeader } from '@proofmark/contract';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { ApiError, ConnectionError } from './errors.ts';

export interface Sending {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly accept: string;
  readonly idempotencyKey?: string;
}

export type SendOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly error: ApiError | ConnectionError };

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop with two reasons to wait, which must be seen side by side: only one of them counts as an attempt.
export async function sendWithRetries<Answer>(
  options: ClientOptions,
  sending: Sending,
  call: CallOptions,
  sendOnce: (
    options: ClientOptions,
    sending: Sending,
    call: CallOptions,
  ) => Promise<SendOutcome<Answer>>,
): Promise<Answer> {
  let waitedMs = 0;
  for (let attempt = 0; ; ) {
    const outcome = await sendOnce(options, sending, call);
    if ('answer' in outcome) return outcome.answer;
    const { error } = outcome;
    const retryAfter = error instanceof ApiError ? error.retryAfterSeconds : undefined;
    const status = error instanceof ApiError ? error.status : 'broken';
    const random = (options.random ?? Math.random)();
    if (status === 429 && options.limitPatience !== undefined) {
      const { mostMs, onWait } = options.limitPatience;
      const delayMs = limitDelayMs(retryAfter, random);
      waitedMs += delayMs;
      if (waitedMs > mostMs) throw error;
      onWait?.(Math.ceil(delayMs / 1000));
      await (options.sleep ?? sleep)(delayMs, call.signal);
      continue;
    }
    const delayMs = retryDelayMs(attempt, retryAfter, random);
    if (
      attempt >= (options.maxRetries ?? 3) ||
      !mayRetry({ ...sending, isRepeatable: call.isRepeatable }, status) ||
      delayMs === undefined
    ) {
      throw error;
    }
    attempt += 1;
    await (options.sleep ?? sleep)(delayMs, call.signal);
  }
}

export async function wholeAnswer(
  options: ClientOptions,
  sending: Sending,
  call: CallOptions,
): Promise<SendOutcome<unknown>> {
  const opened = await openAnswer(options, sending, call);
  if ('error' in opened) return opened;
  const { answer: response } = opened;
  if (response.headers.get('content-type') === 'image/png') {
    return readBody(async () => new Uint8Array(await response.arrayBuffer()), sending.url, call);
  }
  const read = await readText(response, sending.url, call);
  if ('error' in read) return read;
  return { answer: parseAnswer(response.status, read.answer) };
}

/** Returns a successful response whose body is still unread. Throws for any other response. */
export async function openAnswer(
  options: ClientOptions,
  { method, url, body, accept, idempotencyKey }: Sending,
  call: CallOptions,
): Promise<SendOutcome<Response>> {
  let response: Response;
  try {
    response = await (options.fetch ?? globalThis.fetch)(url, {
      method,
      headers: {
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.apiKey !== undefined && { authorization: `Bearer ${options.apiKey}` }),
        ...(idempotencyKey !== undefined && { [idempotencyKeyHeader]: idempotencyKey }),
        ...options.headers?.(),
        ...call.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(call.signal !== undefined && { signal: call.signal }),
    });
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    return { error: new ConnectionError(url, cause) };
  }
  if (response.ok) return { answer: response };
  const read = await readText(response, url, call);
  if ('error' in read) return read;
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
  const parsed = (parseJson(read.answer) ?? {}) as Partial<ErrorBody>;
  return { error: new ApiError(response.status, parsed, retryAfter) };
}

export function parseAnswer(status: number, text: string): unknown {
  const parsed = parseJson(text);
  if (parsed !== undefined) return parsed;
  const message = 'The answer is not JSON; check that this is the address of a Proofmark service.';
  throw new ApiError(status, { message }, undefined);
}

function readText(response: Response, url: string, call: CallOptions) {
  return readBody(() => response.text(), url, call);
}

async function readBody<Body>(
  read: () => Promise<Body>,
  url: string,
  call: CallOptions,
): Promise<SendOutcome<Body>> {
  try {
    return { answer: await read() };
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    return { error: new ConnectionError(url, cause) };
  }
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

/**
 * A request rejected with 429 had no effect and is always retried. A request with another failure
 * may have had an effect. It is retried only if it is a GET, has an idempotency key or is declared
 * repeatable.
 */
const passingFailures = new Set([500, 502, 503, 504]);

/** Longest wait before a retry. If the service demands a longer wait, the error is thrown. */
const longestWaitMs = 60_000;

function mayRetry(
  sending: {
    readonly method: string;
    readonly idempotencyKey?: string;
    readonly isRepeatable?: boolean | undefined;
  },
  status: number | 'broken',
): boolean {
  if (status === 429) return true;
  const isSafe =
    sending.method === 'GET' ||
    sending.idempotencyKey !== undefined ||
    sending.isRepeatable === true;
  return isSafe && (status === 'broken' || passingFailures.has(status));
}

function retryDelayMs(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined {
  if (retryAfterSeconds !== undefined) {
    const waitMs = retryAfterSeconds * 1000;
    return waitMs > longestWaitMs ? undefined : waitMs + Math.floor(random * 250);
  }
  const ceiling = Math.min(8000, 250 * 2 ** attempt);
  return Math.floor(ceiling / 2 + (random * ceiling) / 2);
}

/**
 * Returns the wait after a 429 with `limitPatience`: the `Retry-After` seconds (default: 1) plus up
 * to 250 ms of jitter.
 */
function limitDelayMs(retryAfterSeconds: number | undefined, random: number): number {
  return (retryAfterSeconds ?? 1) * 1000 + Math.floor(random * 250);
}

function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
