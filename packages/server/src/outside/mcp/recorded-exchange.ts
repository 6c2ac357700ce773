/** One thing asked of a server and what came of it, word for word, before the protocol library reads it. */
import type { Json } from '@proofmark/domain';
import type { CallBudget } from './call-budget.ts';

type BodyKind = 'json' | 'events' | 'other';

export class RecordedExchange {
  readonly key: string;
  readonly budget: CallBudget;
  /** Whether the server may be silent for as long as the call lasts, because it has work to do. */
  readonly isWork: boolean;
  /** Results by the method that was asked: a handshake asks more than one thing. */
  readonly results = new Map<string, Json>();
  /** Rejects when the answer broke a rule that the protocol library does not report. */
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

  /** How the last answer came: a JSON body holds everything there will be, a stream may go on. */
  get lastBody(): BodyKind | undefined {
    return this.#lastBody;
  }

  set lastBody(kind: BodyKind) {
    this.#lastBody = kind;
    this.hear();
  }

  /** Whether anything came back for it: the head of an answer, or a message, be it an error. */
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

/** Carries the key of an exchange from the request to the fetch that sends it; it never leaves the process. */
export const exchangeHeader = 'x-exchange-key';
