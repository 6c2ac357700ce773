/**
 * The fetch that the packages of the providers get. It reads an answer whole, within the bounds of the guarded fetch,
 * and hands on only those with success; every other outcome is a `SendFailure`, without the body. One that comes in
 * pieces is handed on as it comes, within the same bounds.
 */
import type { EgressPolicy } from '../egress/address-policy.ts';
import { EgressRefused } from '../egress/egress-refused.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import type { ModelLimits } from './model-limits.ts';
import { failureOfEgress, failureOfStatus } from './send-failure.ts';

/**
 * What hears that a request leaves, by the signal of its call: the packages hand that on to their fetch and nothing else of
 * ours, and `generate` makes one for each call. An AsyncLocalStorage would need no signal, but on Node 20 its first use
 * makes every later promise of the process dearer (5 % of the CPU of our tests).
 */
export const hearsOut = new WeakMap<AbortSignal, () => void>();

export function createProviderFetch(egress: EgressPolicy, limits: ModelLimits): typeof fetch {
  const guarded = createGuardedFetch({
    ...egress,
    deadlineMs: limits.requestMs,
    maxResponseBytes: limits.maxAnswerBytes,
  });
  return async (input, init) => {
    try {
      const onOut = init?.signal ? hearsOut.get(init.signal) : undefined;
      const answer = await guarded(input, { ...init, onOut });
      if (answer.ok && answer.body !== null && comesInPieces(answer.headers)) {
        const { status, headers } = answer;
        return new Response(piecesOf(answer.body), { status, headers });
      }
      const body = await answer.arrayBuffer();
      const { status } = answer;
      if (!answer.ok) {
        const text = new TextDecoder().decode(body);
        throw failureOfStatus(status, retryAfterMs(answer.headers), text);
      }
      return new Response(body, { status, headers: answer.headers });
    } catch (error) {
      throw ownFailure(error);
    }
  };
}

function comesInPieces(headers: Headers): boolean {
  return /^(text\/event-stream|application\/x-ndjson)\b/i.test(headers.get('content-type') ?? '');
}

/** Who stops listening ends the request at once, also while nothing comes. */
export function piecesOf(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(ownFailure(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function ownFailure(error: unknown): unknown {
  return error instanceof EgressRefused ? failureOfEgress(error) : error;
}

function retryAfterMs(headers: Headers): number | undefined {
  const written = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,3})?$/.test(written)) return Number(written) * 1000;
  const at = /^[A-Za-z]{3},/.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
