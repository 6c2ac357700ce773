/**
 * A summary may list the trials that did not pass from the whole run, from the first on, and not from one page. Then
 * this says how many there are and whether all are listed.
 */
import { count, type Sentence, say } from '@proofmark/domain';

export interface PickedTrials {
  readonly isAll: boolean;
  /** Unknown while the run goes on, and where it was not recorded. */
  readonly total?: number | undefined;
}

/** `812`, `at least 50`, or as many as there are. */
export function amountPicked(listed: number, picked: PickedTrials | undefined): string | Sentence {
  if (picked === undefined || picked.isAll) return listed === 0 ? 'none' : say`${listed}`;
  return picked.total === undefined ? say`at least ${listed}` : say`${picked.total}`;
}

/** Those that did not pass and are not listed. */
export function unlistedSentence(unlisted: number, picked: PickedTrials | undefined): Sentence[] {
  if (picked !== undefined && !picked.isAll && picked.total === undefined) {
    return [say`More trials that did not pass; the console shows them.`];
  }
  if (unlisted <= 0) return [];
  const them = unlisted === 1 ? 'it' : 'them';
  return [say`${count(unlisted, 'more trial')} that did not pass; the console shows ${them}.`];
}
