/**
 * The clock of one step in a widget. If other programs took processor time, the step gets that time
 * in addition, up to a limit.
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
    // The lost time is read only after the step's own time is over, because reading it from the
    // system is expensive.
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
