/**
 * What one call may still cost: time and bytes, counted over everything that is done for it, however many
 * requests that takes. It ends by its deadline, by whoever asked for it, or by a breach that `fail` reports. While we
 * ourselves are asked something, its time stands still.
 */
import { tooLarge } from './explain-mcp-error.ts';
import { afterAnswer, McpFailure } from './mcp-failure.ts';

export class CallBudget {
  readonly signal: AbortSignal;
  /** Rejects when the call is over before it is done. */
  readonly broken: Promise<never>;
  /** Whether anything came back so far, for whatever was asked. */
  isAnswered = false;
  readonly #controller = new AbortController();
  #endsAtMs: number;
  #timer: NodeJS.Timeout;
  #holds = 0;
  #heldAtMs = 0;
  #isOver = false;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(timeoutMs: number, maxBytes: number, caller?: AbortSignal) {
    this.signal = this.#controller.signal;
    this.#maxBytes = maxBytes;
    this.#endsAtMs = performance.now() + timeoutMs;
    this.#caller = caller;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(this.#onTimeout, timeoutMs);
    this.broken = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.broken.catch(() => undefined);
    if (caller?.aborted === true) this.#onCallerAbort();
    else caller?.addEventListener('abort', this.#onCallerAbort);
  }

  remainingMs(): number {
    return Math.max(1, Math.ceil(this.#endsAtMs - performance.now()));
  }

  hold(): void {
    this.#holds += 1;
    if (this.#holds > 1) return;
    this.#heldAtMs = performance.now();
    clearTimeout(this.#timer);
  }

  goOn(): void {
    this.#holds -= 1;
    if (this.#holds > 0 || this.#isOver) return;
    this.#endsAtMs += performance.now() - this.#heldAtMs;
    this.#timer = setTimeout(this.#onTimeout, this.remainingMs());
  }

  /** What came back so far. */
  get bytes(): number {
    return this.#bytes;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    const refusal = tooLarge(this.#maxBytes);
    this.fail(refusal);
    throw refusal;
  }

  fail(reason: unknown): void {
    this.end();
    if (!this.signal.aborted) this.#controller.abort(reason);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  readonly #onTimeout = (): void => {
    const failure = timeoutFailure(this.#timeoutMs);
    this.fail(this.isAnswered ? afterAnswer(failure) : failure);
  };
  readonly #onCallerAbort = (): void => this.fail(this.#caller?.reason);
}

function timeoutFailure(timeoutMs: number): McpFailure {
  return new McpFailure('TIMEOUT', 'The server did not answer in time.', { timeoutMs });
}
