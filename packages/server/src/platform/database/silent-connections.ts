import type { DatabaseAway } from './database-away.ts';

/**
 * Destroys those recorded connections that have received nothing since then, except the ones for
 * which PostgreSQL is working. Returns how many were spared.
 */
export type DropSilent = (reason: DatabaseAway, atWork: ReadonlySet<number>) => number;

/** A group of connections that can be destroyed when they have become silent. */
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
  /** Fails all calls that wait for a connection, because PostgreSQL is silent. */
  failWaiting(): void;
}
