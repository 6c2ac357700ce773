import type { Sql } from '../../../platform/database/database.ts';

/** The estimated bytes for the ids and numbers of a row and its index entries. */
export const bytesPerRow = 250;
export const runsAtOnce = 200;
/**
 * The number of days in which runs are searched for changes. A run is open for at most a week, so
 * older runs rarely change; the scan of all runs finds those that did.
 */
export const recentDays = 8;

export interface ChangedRun {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: number;
}

export type WhichRuns = 'recent' | 'all';

export interface MeasuredRuns {
  /** Lists changed runs with an id greater than `after`, in the order of their ids. */
  listChanged(sql: Sql, which: WhichRuns, after: string): Promise<ChangedRun[]>;
  measure(sql: Sql, run: ChangedRun): Promise<void>;
}
