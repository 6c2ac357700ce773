/** What measuring of all kinds of runs has in common. */
import type { Sql } from '../../../platform/database/database.ts';

/** The ids and numbers of a row, and its places in indexes. */
export const bytesPerRow = 250;
export const runsAtOnce = 200;
/** A run is open for a week at most, so what is older has not changed, or is found by the look at all of them. */
export const recentDays = 8;

export interface ChangedRun {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: number;
}

export type WhichRuns = 'recent' | 'all';

/** One kind of runs that are measured. */
export interface MeasuredRuns {
  /** By id, those behind the given one. */
  listChanged(sql: Sql, which: WhichRuns, after: string): Promise<ChangedRun[]>;
  measure(sql: Sql, run: ChangedRun): Promise<void>;
}
