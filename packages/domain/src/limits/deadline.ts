/**
 * A time limit as an abort signal. It ends when the time is over, when the caller's signal ends, or
 * when `fail` is called, whichever comes first. The owner calls `end` when the work is done.
 */
const deadlines = new WeakMap<AbortSignal, Deadline>();

export class Deadline {
  readonly signal: AbortSignal;
  readonly broken: Promise<never>;
  isOver = false;
  readonly #controller = new AbortController();
  readonly #reasonWhenOver: (deadline: Deadline) => unknown;
  readonly #caller: AbortSignal | null | undefined;
  #endsAtMs: number;
  #timer: ReturnType<typeof setTimeout>;
  #holds = 0;
  #heldAtMs = 0;
  #hasEnded = false;

  constructor(
    timeoutMs: number,
    reasonWhenOver: (deadline: Deadline) => unknown,
    caller?: AbortSignal | null,
  ) {
    this.signal = this.#controller.signal;
    deadlines.set(this.signal, this);
    this.#reasonWhenOver = reasonWhenOver;
    this.#caller = caller;
    this.#endsAtMs = performance.now() + timeoutMs;
    this.#timer = setTimeout(this.#onTimeout, timeoutMs);
    this.broken = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    // Prevents an unhandled rejection if no caller races against `broken`.
    this.broken.catch(() => undefined);
    if (caller?.aborted === true) this.#onCallerAbort();
    else caller?.addEventListener('abort', this.#onCallerAbort);
  }

  /**
   * Ends at once the earliest deadline among this signal's and its callers'. A caller uses this if
   * nothing can happen before that deadline. Held deadlines are skipped. Returns whether a deadline
   * was ended.
   */
  static passTime(signal: AbortSignal): boolean {
    let first: Deadline | undefined;
    for (
      let next = deadlines.get(signal);
      next;
      next = deadlines.get(next.#caller as AbortSignal)
    ) {
      if (next.#holds > 0 || next.#hasEnded) continue;
      if (first === undefined || next.#endsAtMs < first.#endsAtMs) first = next;
    }
    if (first === undefined) return false;
    first.#onTimeout();
    return true;
  }

  /**
   * Returns the remaining time in milliseconds; it does not decrease while the deadline is held.
   */
  remainingMs(): number {
    const nowMs = this.#holds > 0 ? this.#heldAtMs : performance.now();
    return Math.max(1, Math.ceil(this.#endsAtMs - nowMs));
  }

  /** Stops the clock until `goOn` has been called as often as `hold`. */
  hold(): void {
    this.#holds += 1;
    if (this.#holds > 1) return;
    this.#heldAtMs = performance.now();
    clearTimeout(this.#timer);
  }

  goOn(): void {
    this.#holds -= 1;
    if (this.#holds > 0 || this.#hasEnded) return;
    this.#endsAtMs += performance.now() - this.#heldAtMs;
    this.#timer = setTimeout(this.#onTimeout, this.remainingMs());
  }

  fail(reason: unknown): void {
    this.end();
    if (!this.signal.aborted) this.#controller.abort(reason);
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  readonly #onTimeout = (): void => {
    this.isOver = true;
    this.fail(this.#reasonWhenOver(this));
  };
  readonly #onCallerAbort = (): void => this.fail(this.#caller?.reason);
}
