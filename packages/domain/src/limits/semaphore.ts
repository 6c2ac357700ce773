/**
 * A counting semaphore for each key. A caller without a free slot waits, first come, first served.
 * Nobody overtakes a waiter of the same key, even with a request for fewer slots. Waiters of
 * different keys never wait for each other.
 */
export class Semaphore {
  readonly #slotsOf: (key: string) => number;
  readonly #lines = new Map<string, Line>();

  /**
   * `slots` is the number of slots for every key, or a function that returns the number for a key.
   * After that number has grown, `wake` must be called to admit waiters.
   */
  constructor(slots: number | ((key: string) => number)) {
    this.#slotsOf = typeof slots === 'number' ? () => slots : slots;
  }

  /**
   * Waits for free slots, takes them, and returns a function that releases them. Further calls of
   * that function have no effect.
   */
  async acquire(key: string, options: AcquireOptions = {}): Promise<() => void> {
    const { signal, count = 1, atMost = Infinity, mostWaiting = Infinity } = options;
    signal?.throwIfAborted();
    const line = this.#lines.get(key) ?? { held: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.waiting.size === 0 && this.#fits(key, line, count, atMost)) line.held += count;
    else if (line.waiting.size >= mostWaiting) throw new TooManyWaiting();
    else await this.#wait(key, line, { ...options, count, atMost });
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      line.held -= count;
      this.wake(key);
    };
  }

  async run<Result>(
    key: string,
    work: () => Promise<Result>,
    options?: AcquireOptions,
  ): Promise<Result> {
    const release = await this.acquire(key, options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  held(key: string): number {
    return this.#lines.get(key)?.held ?? 0;
  }

  waiting(key: string): number {
    return this.#lines.get(key)?.waiting.size ?? 0;
  }

  wake(key: string): void {
    const line = this.#lines.get(key);
    if (line === undefined) return;
    for (const waiter of line.waiting) {
      if (!this.#fits(key, line, waiter.count, waiter.atMost)) break;
      line.waiting.delete(waiter);
      line.held += waiter.count;
      waiter.enter();
    }
    if (line.held === 0 && line.waiting.size === 0) this.#lines.delete(key);
  }

  #fits(key: string, { held }: Line, count: number, atMost: number): boolean {
    return held + count <= Math.min(this.#slotsOf(key), atMost);
  }

  #wait(
    key: string,
    line: Line,
    { count, atMost, signal, onWait }: AcquireOptions & { count: number; atMost: number },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        count,
        atMost,
        enter() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        line.waiting.delete(waiter);
        reject(signal?.reason);
        // The next waiter may need fewer slots than the waiter that left, so it may fit now.
        this.wake(key);
      };
      signal?.addEventListener('abort', leave, { once: true });
      line.waiting.add(waiter);
      onWait?.();
    });
  }
}

export interface AcquireOptions {
  /** The number of slots to take together (default: 1). */
  readonly count?: number;
  /**
   * A signal that ends the wait with its reason. To limit the wait, pass a signal with a timeout.
   */
  readonly signal?: AbortSignal;
  /**
   * The caller may enter only if at most this many slots of the key are then taken, including the
   * caller's own.
   */
  readonly atMost?: number;
  /** The maximum number of waiters. If more would wait, the call rejects with `TooManyWaiting`. */
  readonly mostWaiting?: number;
  readonly onWait?: () => void;
}

export class TooManyWaiting extends Error {
  constructor() {
    super('Too many callers are already waiting.');
  }
}

interface Line {
  held: number;
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly count: number;
  readonly atMost: number;
  enter(): void;
}
