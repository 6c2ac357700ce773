import type { DatabaseAway } from './database-away.ts';

/**
 * Destroys the recorded connections that have received nothing since `listen`, except those for
 * which PostgreSQL is working. Returns how many it spared.
 */
export type DropSilent = (reason: DatabaseAway, atWork: ReadonlySet<number>) => number;

export interface SilentConnections {
  /**
   * Records the bytes that each connection has received so far, and returns the function that
   * destroys the silent ones.
   */
  listen(): DropSilent;
  /**
   * Like `listen`, but only for connections that have waited at least this long for an answer;
   * returns undefined if there are none.
   */
  listenToLate(waitedMs: number): DropSilent | undefined;
  failWaiting(): void;
}
