/**
 * Limits how long a server may make a call wait: the rest of the trial, or of the list of calls
 * around its steps.
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
