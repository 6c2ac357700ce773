/**
 * The `fetch` for the npm packages of the providers. It reads an answer completely, within the
 * limits of the guarded fetch, and passes on only successful answers. Every other outcome becomes a
 * `SendFailure` without the response body. A streamed answer is passed on as it arrives, within the
 * same limits.
 */
import type { EgressPolicy } from '../egress/address-policy.ts';
import { EgressRefused } from '../egress/egress-refused.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import type { ModelLimits } from './model-limits.ts';
import { failureOfEgress, failureOfStatus } from './send-failure.ts';

/**
 * Callbacks for the moment when a request is sent, by the signal of the call. The packages pass on
 * only the signal to their `fetch`. An AsyncLocalStorage would make every promise slower on Node 20
 * (5 % of the CPU time of our tests).
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

/**
 * Returns a copy of the stream. Cancelling the copy ends the request at once, even if no data is
 * arriving.
 */
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
