/**
 * Compares my edit and another person's edit of the same value. A path is disputed if both edits
 * changed it to different values, or if one edit changed a part of a value that the other edit
 * replaced. `reapply` makes my changes to the other person's version; my value wins on disputed
 * paths. The page shows me the disputed paths before I confirm.
 */
import type { Json } from '@proofmark/domain';
import {
  applyChanges,
  type Change,
  type IsSet,
  isSame,
  jsonChanges,
  type Path,
} from './json-changes.ts';

export interface ThreeWay {
  readonly theirs: readonly Change[];
  readonly mine: readonly Change[];
  /** Paths of the reader's own changes that conflict with a change of another person. */
  readonly disputed: readonly Path[];
}

export function threeWay(
  base: unknown,
  theirVersion: unknown,
  myVersion: unknown,
  isSet?: IsSet,
): ThreeWay {
  const theirs = jsonChanges(base, theirVersion, isSet);
  const mine = jsonChanges(base, myVersion, isSet);
  const disputed = mine
    .filter((change) => theirs.some((other) => isDispute(change, other)))
    .map(({ path }) => path);
  return { theirs, mine, disputed };
}

export function reapply(base: Json, theirVersion: Json, myVersion: Json, isSet?: IsSet): Json {
  return applyChanges(theirVersion, jsonChanges(base, myVersion, isSet));
}

function isDispute(one: Change, other: Change): boolean {
  const length = Math.min(one.path.length, other.path.length);
  const overlap = one.path.slice(0, length).every((name, index) => name === other.path[index]);
  if (!overlap) return false;
  return one.path.length !== other.path.length || !isSame(one.after, other.after);
}
