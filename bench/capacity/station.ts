/**
 * A resource with a limited number of concurrent users, such as cores, a thread or a lock. Users
 * are served in order of arrival.
 */
import type { Clock } from './clock.ts';

export class Station {
  readonly #clock: Clock;
  readonly #slots: number;
  readonly #waiting: { readonly since: number; readonly taken: () => void }[] = [];
  #first = 0;
  #used = 0;
  #changedAt = 0;
  #usedSeconds = 0;
  #waitedSeconds = 0;
  #uses = 0;

  constructor(clock: Clock, slots: number) {
    this.#clock = clock;
    this.#slots = slots;
  }

  take(taken: () => void): void {
    this.#uses += 1;
    if (this.#used < this.#slots) {
      this.#change(1);
      taken();
    } else {
      this.#waiting.push({ since: this.#clock.now, taken });
    }
  }

  give(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#change(-1);
      return;
    }
    this.#first += 1;
    if (this.#first > 1000) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    this.#waitedSeconds += this.#clock.now - next.since;
    next.taken();
  }

  use(seconds: number, done: () => void): void {
    this.take(() =>
      this.#clock.after(seconds, () => {
        this.give();
        done();
      }),
    );
  }

  get usedSeconds(): number {
    this.#change(0);
    return this.#usedSeconds;
  }

  get waitedSeconds(): number {
    return this.#waitedSeconds;
  }

  get uses(): number {
    return this.#uses;
  }

  #change(by: number): void {
    this.#usedSeconds += this.#used * (this.#clock.now - this.#changedAt);
    this.#changedAt = this.#clock.now;
    this.#used += by;
  }
}
