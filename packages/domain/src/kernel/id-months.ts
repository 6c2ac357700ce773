/**
 * Calendar months (UTC) as ranges of ids. Ids sort by creation time, so all ids of a month are
 * between two texts. The texts must be compared byte by byte, since the sort order of some
 * languages puts z before t.
 */
import { beginningOfIds, type IdKind } from './ids.ts';

export interface IdMonth {
  /** The year and the month, such as `2026_11`. */
  readonly name: string;
  /** The lower bound: no id of the month sorts before it. */
  readonly from: string;
  /** The upper bound: every id of the month sorts before it, and no id of the next month does. */
  readonly to: string;
}

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
