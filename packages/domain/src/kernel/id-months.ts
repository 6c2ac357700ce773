/**
 * Calendar months (UTC) in terms of ids. Ids sort by the moment they were made, so those of a month lie between two texts.
 * That holds where texts are compared byte by byte, which not every language does: some sort z before t.
 */
import { beginningOfIds, type IdKind } from './ids.ts';

export interface IdMonth {
  /** Year and month: 2026_11. */
  readonly name: string;
  /** No id of the month sorts before it. */
  readonly from: string;
  /** Every id of the month sorts before it, and none of the next month does. */
  readonly to: string;
}

/** So many months one after the other, from the one that this moment is in. */
export function idMonths(kind: IdKind, fromMs: number, count: number): IdMonth[] {
  const start = new Date(fromMs);
  const beginning = (index: number) =>
    new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index));
  return Array.from({ length: count }, (_, index) => ({
    name: beginning(index).toISOString().slice(0, 7).replace('-', '_'),
    from: beginningOfIds(kind, beginning(index).getTime()),
    to: beginningOfIds(kind, beginning(index + 1).getTime()),
  }));
}
