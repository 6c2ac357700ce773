/**
 * Compares the user's edit (mine) with another person's edit of the same value. A path is disputed
 * if both edits changed it differently, or one changed a part of what the other replaced. `reapply`
 * applies my changes to the other version; my value wins on disputed paths.
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
  /** Paths of the user's changes that conflict with a change of another person. */
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
