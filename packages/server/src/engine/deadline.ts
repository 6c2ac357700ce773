/** A signal that ends with whoever asked, or when the time is over, whichever comes first. */
export class Deadline {
  readonly signal: AbortSignal;
  isOver = false;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, caller: AbortSignal) {
    this.signal = this.#controller.signal;
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#controller.abort(new Error('The time of the trial is over.'));
    }, timeoutMs);
    if (caller.aborted) this.#leave();
    else caller.addEventListener('abort', this.#leave, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#leave);
  }

  readonly #leave = (): void => this.#controller.abort(this.#caller.reason);
}
