/**
 * The time something may take, as a signal: it ends when the time is over, with whoever asked for it, or by `fail`,
 * whichever comes first. Whoever is done calls `end`.
 */
const deadlines = new WeakMap<AbortSignal, Deadline>();

export class Deadline {
  readonly signal: AbortSignal;
  /** Rejects with the reason when the signal ends. */
  readonly broken: Promise<never>;
  /** Whether it was the time that ended it. */
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
    // Whoever races against it sees the rejection; nobody racing any more is no fault.
    this.broken.catch(() => undefined);
    if (caller?.aborted === true) this.#onCallerAbort();
    else caller?.addEventListener('abort', this.#onCallerAbort);
  }

  /**
   * For whoever knows that nothing will come before: of the times that this signal ends with, that which is over first is
   * over now. Tells whether there is one that does not stand still.
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

  /** The same while it is held. */
  remainingMs(): number {
    const nowMs = this.#holds > 0 ? this.#heldAtMs : performance.now();
    return Math.max(1, Math.ceil(this.#endsAtMs - nowMs));
  }

  /** The time stands still until as many `goOn` followed. */
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
