/**
 * At most so many calls of one server at once, over all runs of the process; the others wait in line, first come,
 * first served. Whoever gives up while waiting leaves the line.
 */
export class CallSlots {
  readonly #busy = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

  async run<Result>(
    key: string,
    atMost: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const free = this.#take(key, atMost) ? undefined : this.#wait(key, signal);
    if (free !== undefined) await free;
    try {
      return await work();
    } finally {
      this.#give(key);
    }
  }

  #take(key: string, atMost: number): boolean {
    const lane = this.#busy.get(key);
    if (lane === undefined) this.#busy.set(key, { count: 1, waiting: [] });
    else if (lane.count >= atMost) return false;
    else lane.count += 1;
    return true;
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#busy.get(key)?.waiting ?? [];
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(enter);
    });
  }

  #give(key: string): void {
    const lane = this.#busy.get(key);
    if (lane === undefined) return;
    const next = lane.waiting.shift();
    // The place goes over to whoever waits, so the count stays.
    if (next !== undefined) {
      next();
      return;
    }
    lane.count -= 1;
    if (lane.count === 0) this.#busy.delete(key);
  }
}
