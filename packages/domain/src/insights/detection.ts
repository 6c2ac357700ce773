/**
 * The result of one detector for one subject: the units in which it fired, and the units that it
 * read.
 */
import { type Candidate, type CountedUnit, makeCandidate, type Subject } from './candidate.ts';
import type { Detector } from './detectors.ts';

export interface Detection<Unit extends CountedUnit = CountedUnit> {
  readonly detector: Detector;
  readonly subject: Subject;
  /** All of them are in the slice. */
  readonly fired: readonly Unit[];
  readonly slice: readonly Unit[];
  readonly metric?: number;
  /** The numbers of both, if more units were counted than read. */
  readonly counts?: { readonly affected: number; readonly sliceTotal: number };
}

/** Leaves out detections that fired nowhere. */
export function candidatesOf(detections: readonly Detection[]): Candidate[] {
  return detections.flatMap(
    ({ detector, subject, ...counted }) => makeCandidate(detector, subject, counted) ?? [],
  );
}

export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
