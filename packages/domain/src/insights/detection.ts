import { type Candidate, type CountedUnit, makeCandidate, type Subject } from './candidate.ts';
import type { Detector } from './detectors.ts';

export interface Detection<Unit extends CountedUnit = CountedUnit> {
  readonly detector: Detector;
  readonly subject: Subject;
  /** A subset of `slice`. */
  readonly fired: readonly Unit[];
  readonly slice: readonly Unit[];
  readonly metric?: number;
  /** Set if more units were counted than read. */
  readonly counts?: { readonly affected: number; readonly sliceTotal: number };
}

/** A detection without an affected unit gives no candidate. */
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
