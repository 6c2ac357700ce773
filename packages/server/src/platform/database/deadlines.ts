/**
 * The longest waits for PostgreSQL, by the clock of this process. When one has passed, the
 * connection is destroyed.
 */
export interface Deadlines {
  /** Milliseconds for a statement, and also for getting a free connection. */
  readonly callMs: number;
  readonly slowMs: number;
  readonly connectMs: number;
  readonly beatEveryMs: number;
  /**
   * Milliseconds for the answer to a heartbeat. Two such waits and the pause before them take 4
   * seconds, less than the deadline of a quick request.
   */
  readonly beatMs: number;
}

export const defaultDeadlines: Deadlines = {
  callMs: 10_000,
  slowMs: 60_000,
  connectMs: 5000,
  beatEveryMs: 1000,
  beatMs: 1500,
};

export type Pace = 'quick' | 'slow';
