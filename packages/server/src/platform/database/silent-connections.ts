import type { DatabaseAway } from './database-away.ts';

/**
 * Destroys the connections that received nothing since, except those PostgreSQL is working for.
 * Returns the number of the excepted ones.
 */
export type DropSilent = (reason: DatabaseAway, atWork: ReadonlySet<number>) => number;

/** Connections that can be destroyed when they are silent. */
export interface SilentConnections {
  /** Records the bytes that each connection has received so far. */
  listen(): DropSilent;
  /**
   * The same for connections that have waited at least this long for an answer; undefined if there
   * are none.
   */
  listenToLate(waitedMs: number): DropSilent | undefined;
  /** Fails all calls that wait for a connection, since PostgreSQL is silent. */
  failWaiting(): void;
}
