/**
 * The result of one detector for one subject: the units for which it fired, and all units that it
 * examined.
 */
import { type Candidate, type CountedUnit, makeCandidate, type Subject } from './candidate.ts';
import type { Detector } from './detectors.ts';

export interface Detection<Unit extends CountedUnit = CountedUnit> {
  readonly detector: Detector;
  readonly subject: Subject;
  /** The units for which the detector fired, all of them units of the slice. */
  readonly fired: readonly Unit[];
  readonly slice: readonly Unit[];
  readonly metric?: number;
  /** The numbers of affected and of all units, if more were counted than read. */
  readonly counts?: { readonly affected: number; readonly sliceTotal: number };
}

/** Makes candidates of detections. A detection without an affected unit gives none. */
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
