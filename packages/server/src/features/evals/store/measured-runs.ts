/** Shared parts of measuring the storage of all kinds of runs. */
import type { Sql } from '../../../platform/database/database.ts';

/** Bytes for the ids and numbers of a row, and its index entries. */
export const bytesPerRow = 250;
export const runsAtOnce = 200;
/**
 * A run is open for at most a week, so older runs have not changed, or are found by the scan of all
 * runs.
 */
export const recentDays = 8;

export interface ChangedRun {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: number;
}

export type WhichRuns = 'recent' | 'all';

/** One kind of runs with measured sizes. */
export interface MeasuredRuns {
  /** Lists changed runs by id, after the given one. */
  listChanged(sql: Sql, which: WhichRuns, after: string): Promise<ChangedRun[]>;
  measure(sql: Sql, run: ChangedRun): Promise<void>;
}
