/** How long we wait for PostgreSQL, by our own clock, before the connection that was waited on is destroyed. */
export interface Deadlines {
  /** For a statement, and for a free connection. */
  readonly callMs: number;
  /** For a statement that is marked slow. */
  readonly slowMs: number;
  readonly connectMs: number;
  readonly beatEveryMs: number;
  /** For the answer to a beat. Two of them, with the pause before them, take four seconds: the quick deadline of a request is longer. */
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
