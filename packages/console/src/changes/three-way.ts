/**
 * What two people did to the same value since they both read it. A place that only one of them changed is no dispute;
 * one that both changed alike is none either; where they differ, or where one changed a part of what the other changed
 * whole, it is. To reapply is to make my changes to their version: what only they changed stays, and in a dispute mine
 * wins, because I am the one who is asked and can see it.
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
  /** The places of mine that they changed too, and otherwise. */
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
