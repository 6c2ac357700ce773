/** Work that is done a few at a time. Whoever waits too long for a turn is turned away. */
export class Lane {
  readonly #patienceMs: number;
  readonly #turnedAway: () => Error;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(width: number, patienceMs: number, turnedAway: () => Error) {
    this.#free = width;
    this.#patienceMs = patienceMs;
    this.#turnedAway = turnedAway;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        clearTimeout(timer);
        this.#waiting.delete(next);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(next);
        reject(this.#turnedAway());
      }, this.#patienceMs);
      this.#waiting.add(next);
    });
  }
}
