/**
 * One request to a server and its results, unchanged, recorded before the protocol library reads
 * them.
 */
import type { Json } from '@proofmark/domain';
import type { CallBudget } from './call-budget.ts';

type BodyKind = 'json' | 'events' | 'other';

export class RecordedExchange {
  readonly key: string;
  readonly budget: CallBudget;
  /** True if the server may be silent for the whole call, because it has work to do. */
  readonly isWork: boolean;
  /** Results by requested method: a handshake has more than one request. */
  readonly results = new Map<string, Json>();
  /** Rejects if the answer broke a rule that the protocol library does not report. */
  readonly failed: Promise<never>;
  #lastBody: BodyKind | undefined;
  #isAnswered = false;
  readonly #reject: (reason: unknown) => void;

  constructor(budget: CallBudget, isWork = false) {
    lastKey += 1;
    this.key = String(lastKey);
    this.budget = budget;
    this.isWork = isWork;
    let reject: (reason: unknown) => void = () => undefined;
    this.failed = new Promise<never>((_, rejectIt) => {
      reject = rejectIt;
    });
    this.failed.catch(() => undefined);
    this.#reject = reject;
  }

  /** The kind of the last body: a JSON body is complete, a stream may continue. */
  get lastBody(): BodyKind | undefined {
    return this.#lastBody;
  }

  set lastBody(kind: BodyKind) {
    this.#lastBody = kind;
    this.hear();
  }

  /** True once anything came back: the head of an answer or a message, even an error. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  hear(): void {
    this.#isAnswered = true;
    this.budget.isAnswered = true;
  }

  fail(reason: unknown): void {
    this.#reject(reason);
  }
}

let lastKey = 0;

/**
 * The header with the key of an exchange, from the request to the fetch that sends it; it never
 * leaves the process.
 */
export const exchangeHeader = 'x-exchange-key';
