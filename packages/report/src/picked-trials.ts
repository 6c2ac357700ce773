/**
 * The trials that did not pass, listed from the start of the run instead of from one page. The
 * sentences state their number and whether all are listed.
 */
import { count, type Sentence, say } from '@proofmark/domain';

export interface PickedTrials {
  readonly isAll: boolean;
  /** Undefined while the run is in progress, or if the total was not recorded. */
  readonly total?: number | undefined;
}

/**
 * Returns the total such as `812`, `at least 50` if it is unknown, or the number of listed trials.
 */
export function amountPicked(listed: number, picked: PickedTrials | undefined): string | Sentence {
  if (picked === undefined || picked.isAll) return listed === 0 ? 'none' : say`${listed}`;
  return picked.total === undefined ? say`at least ${listed}` : say`${picked.total}`;
}

export function unlistedSentence(unlisted: number, picked: PickedTrials | undefined): Sentence[] {
  if (picked !== undefined && !picked.isAll && picked.total === undefined) {
    return [say`More trials did not pass; the console shows them.`];
  }
  if (unlisted <= 0) return [];
  const them = unlisted === 1 ? 'it' : 'them';
  return [say`${count(unlisted, 'more trial')} did not pass; the console shows ${them}.`];
}
