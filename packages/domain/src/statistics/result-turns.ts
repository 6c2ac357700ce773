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

export function resultTurns(results: readonly boolean[]): ResultTurns {
  const ofPassed: SequenceEnd[] = [];
  const ofFailed: SequenceEnd[] = [];
  let passed = 0;
  let before = 0;
  for (let at = 0; at < results.length; at += 1) {
    const isPassed = results[at];
    if (isPassed) passed += 1;
    if (results[at + 1] === isPassed) continue;
    const trials = at + 1;
    (isPassed ? ofPassed : ofFailed).push({ passed, trials, length: trials - before });
    before = trials;
  }
  return { trials: results.length, passed, ofPassed, ofFailed };
}
