/**
 * Calls own scorers: HTTP programs of organizations that score trials. They are untrusted, so the
 * guarded fetch is used, without redirects and with limits on time and size. An unreadable answer
 * is a failure of the evaluator. A failed or unanswered request is retried once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  Deadline,
  readScorerAnswer,
  type ScorerAnswer,
  scorerAnswerBytes,
} from '@proofmark/domain';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { EgressRefused } from '../egress/egress-refused.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import { signatureHeader, signRequest } from './sign-request.ts';

export interface ScorerCall {
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  /**
   * The time limit in milliseconds for each try, from the start of the connection to the last byte
   * of the response.
   */
  readonly timeoutMs: number;
}

/** `problem` is one sentence that Proofmark writes, without any text of the scorer. */
export type ScorerOutcome = ScorerAnswer | { readonly problem: string };

export interface ScorerGateway {
  /** Calls the scorer. Rejects only if the signal aborts; a failure is returned as an outcome. */
  ask(call: ScorerCall, signal: AbortSignal): Promise<ScorerOutcome>;
}

export function createScorerGateway(
  egress: EgressPolicy,
  { now = Date.now, beforeRetryMs = 500 }: GatewayOptions = {},
): ScorerGateway {
  const guarded = createGuardedFetch({
    ...egress,
    deadlineMs: longestTimeoutMs,
    maxResponseBytes: scorerAnswerBytes,
  });
  const askOnce = async (call: ScorerCall, signal: AbortSignal): Promise<Attempt> => {
    const deadline = new Deadline(call.timeoutMs, () => new EgressRefused('TIMEOUT'), signal);
    try {
      const response = await guarded(call.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [signatureHeader]: signRequest(call.secret, call.body, now()),
        },
        body: call.body,
        redirect: 'manual',
        signal: deadline.signal,
      });
      if (!response.ok) {
        await response.body?.cancel();
        return failureOfStatus(response.status);
      }
      const answer = readScorerAnswer(new Uint8Array(await response.arrayBuffer()));
      return 'problem' in answer ? { what: answer.problem, isPassing: false } : { answer };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return failureOfEgress(error);
    } finally {
      deadline.end();
    }
  };
  return {
    async ask(call, signal) {
      signal.throwIfAborted();
      const first = await askOnce(call, signal);
      if ('answer' in first) return first.answer;
      if (!first.isPassing) return { problem: `The scorer ${first.what}` };
      await pause(beforeRetryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      const second = await askOnce(call, signal);
      if ('answer' in second) return second.answer;
      return { problem: `The scorer ${second.what} It was called twice.` };
    },
  };
}

interface GatewayOptions {
  readonly now?: () => number;
  readonly beforeRetryMs?: number;
}

type Attempt = { readonly answer: ScorerAnswer } | ScorerFailure;

interface ScorerFailure {
  /** The rest of the sentence “The scorer …”, for a message. */
  readonly what: string;
  readonly isPassing: boolean;
}

/**
 * The maximum wait, even if a caller passes a longer `timeoutMs` by mistake; configured timeouts
 * are always shorter.
 */
const longestTimeoutMs = 30_000;

function failureOfStatus(status: number): ScorerFailure {
  if (status >= 500) return { what: `failed (HTTP ${status}).`, isPassing: true };
  if (status >= 300 && status < 400) {
    const what = `answers with a redirect (HTTP ${status}), which is not followed; use its final address.`;
    return { what, isPassing: false };
  }
  return { what: `refuses the request (HTTP ${status}).`, isPassing: false };
}

function failureOfEgress(error: unknown): ScorerFailure {
  if (!(error instanceof EgressRefused)) {
    return { what: 'could not be called: its address is not valid.', isPassing: false };
  }
  switch (error.reason) {
    case 'TIMEOUT':
      return { what: 'did not answer in time.', isPassing: true };
    case 'UNREACHABLE': {
      const code = error.systemCode === undefined ? '' : ` (${error.systemCode})`;
      const what = `could not be reached, or closed the connection before it answered${code}.`;
      return { what, isPassing: true };
    }
    case 'RESPONSE_TOO_LARGE':
      return {
        what: 'sent an answer of more than 64 KiB, the limit for scorers.',
        isPassing: false,
      };
    case 'INVALID_RESPONSE':
      return { what: 'sent an answer that is not valid HTTP.', isPassing: false };
    case 'EGRESS_BLOCKED':
      return {
        what: 'is at an address that is not allowed; ask the operator to allow it.',
        isPassing: false,
      };
    case 'TLS':
      return {
        what: 'cannot be reached by a secure connection; check its certificate.',
        isPassing: false,
      };
  }
}
