/**
 * Tracks which calls of a trial are running and which wait, for a slot or because a server asked
 * Proofmark to wait. The trial's clock is paused only while all calls wait, because a running call
 * uses the trial's time.
 */
import type { Clock } from './paused-clocks.ts';

export class CallWaits {
  readonly #clock: Clock | undefined;
  readonly #calls = new Set<CallWait>();
  #isHeld = false;

  constructor(clock?: Clock) {
    this.#clock = clock;
  }

  begin(): CallWait {
    const call = new CallWait(() => this.#look());
    this.#calls.add(call);
    return call;
  }

  end(call: CallWait): void {
    this.#calls.delete(call);
    this.#look();
  }

  #look(): void {
    const calls = [...this.#calls];
    const isHeld = calls.length > 0 && calls.every(({ isWaiting }) => isWaiting);
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.#clock?.hold();
    else this.#clock?.goOn();
  }
}

class CallWait {
  isWaiting = false;
  readonly onWaiting: (isWaiting: boolean) => void;

  constructor(look: () => void) {
    this.onWaiting = (isWaiting) => {
      this.isWaiting = isWaiting;
      look();
    };
  }
}
