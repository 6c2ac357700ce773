/**
 * Shares one running attempt between all callers, and aborts it when the last caller gives up. A
 * success is cached. A failure is thrown to the waiting callers, and the next caller starts a new
 * attempt.
 */
export class SharedAttempt<Value> {
  readonly #start: (signal: AbortSignal) => Promise<Value>;
  readonly #isGood: (value: Value) => boolean;
  #running: { readonly outcome: Promise<Value>; readonly giveUp: AbortController } | undefined;
  #waiting = 0;
  #kept: Value | undefined;

  constructor(start: (signal: AbortSignal) => Promise<Value>, isGood: (value: Value) => boolean) {
    this.#start = start;
    this.#isGood = isGood;
  }

  get kept(): Value | undefined {
    return this.#kept;
  }

  async get(signal: AbortSignal): Promise<Value> {
    if (this.#kept !== undefined) return this.#kept;
    signal.throwIfAborted();
    const running = this.#running ?? this.#begin();
    this.#waiting += 1;
    let leave: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([running.outcome, left]);
    } finally {
      if (leave !== undefined) signal.removeEventListener('abort', leave);
      this.#waiting -= 1;
      if (this.#waiting === 0 && this.#running === running) {
        this.#running = undefined;
        running.giveUp.abort(
          new Error('The attempt was stopped, because all its callers have left.'),
        );
      }
    }
  }

  #begin() {
    const giveUp = new AbortController();
    const outcome = this.#start(giveUp.signal).then((value) => {
      if (this.#isGood(value)) this.#kept = value;
      return value;
    });
    const running = { outcome, giveUp };
    const settled = () => {
      if (this.#running === running) this.#running = undefined;
    };
    outcome.then(settled, settled);
    this.#running = running;
    return running;
  }
}
