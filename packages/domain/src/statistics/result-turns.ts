/**
 * The trials of a history after which its evidence can be largest. Evidence against "the pass rate
 * is at least p" grows with each failed trial and falls with each passed one, whatever p is. So it
 * peaks at the last trial of a sequence of failed ones, and evidence against "at most p" at the last
 * trial of a sequence of passed ones. All other trials need not be looked at.
 */

import type { PassCount } from '../gates/measures.ts';

export interface ResultTurns extends PassCount {
  /** The sequences of passed trials, in order. */
  readonly ofPassed: readonly SequenceEnd[];
  readonly ofFailed: readonly SequenceEnd[];
}

/** The counts up to the last trial of a sequence of equal results. */
export interface SequenceEnd extends PassCount {
  /** The number of trials of the sequence. */
  readonly length: number;
}

/** Counts results in their order, without storing them. */
export class ResultCounter {
  readonly #ofPassed: SequenceEnd[] = [];
  readonly #ofFailed: SequenceEnd[] = [];
  #trials = 0;
  #passed = 0;
  #isPassed = true;
  #beforeSequence = 0;

  add(isPassed: boolean, times = 1): void {
    if (isPassed !== this.#isPassed) this.#endSequence(isPassed);
    this.#trials += times;
    if (isPassed) this.#passed += times;
  }

  turns(): ResultTurns {
    this.#endSequence(this.#isPassed);
    return {
      trials: this.#trials,
      passed: this.#passed,
      ofPassed: this.#ofPassed,
      ofFailed: this.#ofFailed,
    };
  }

  #endSequence(isNextPassed: boolean): void {
    const [trials, passed] = [this.#trials, this.#passed];
    const length = trials - this.#beforeSequence;
    if (length > 0) {
      (this.#isPassed ? this.#ofPassed : this.#ofFailed).push({ passed, trials, length });
    }
    this.#isPassed = isNextPassed;
    this.#beforeSequence = trials;
  }
}

export function resultTurns(results: readonly boolean[]): ResultTurns {
  const counter = new ResultCounter();
  for (const isPassed of results) counter.add(isPassed);
  return counter.turns();
}
