/**
 * Limits how long a server may make a call wait: the rest of the trial or, for set-up and clean-up
 * calls, the rest of their list's time.
 */
import type { TimeLeft } from './run-servers.ts';

export class TimeOfCalls implements TimeLeft {
  #time: TimeLeft;

  constructor(whole: TimeLeft) {
    this.#time = whole;
  }

  remainingMs(): number {
    return this.#time.remainingMs();
  }

  async during<Result>(own: TimeLeft, work: () => Promise<Result>): Promise<Result> {
    const whole = this.#time;
    this.#time = own;
    try {
      return await work();
    } finally {
      this.#time = whole;
    }
  }
}
