/**
 * The time of one step in a widget: time lost to others is added again, within limits, after the
 * step's own time.
 */
import { mostGivenAgainMs, type TimeOfStep } from '@proofmark/domain';

export class StepClock {
  readonly withinMs: number;
  readonly #beganAt = performance.now();
  readonly #time: () => TimeOfStep;

  constructor(withinMs: number, time: () => TimeOfStep) {
    this.withinMs = withinMs;
    this.#time = time;
  }

  leftMs(): number {
    const ownMs = this.withinMs - (performance.now() - this.#beganAt);
    // Lost time is read from the system, which is too much work for every check of a page.
    return ownMs > 0 ? ownMs : ownMs + Math.min(this.lostMs(), mostGivenAgainMs(this.withinMs));
  }

  lostMs(): number {
    return this.#time().lostToOthersMs;
  }

  async over(): Promise<void> {
    for (let leftMs = this.leftMs(); leftMs > 0; leftMs = this.leftMs()) {
      await new Promise((resolve) => setTimeout(resolve, leftMs));
    }
  }
}
