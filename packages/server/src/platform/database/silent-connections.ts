import type { DatabaseAway } from './database-away.ts';

/**
 * Destroys those connections that have heard nothing since, unless PostgreSQL says that it is at work for them. Says how
 * many of those there are.
 */
export type DropSilent = (reason: DatabaseAway, atWork: ReadonlySet<number>) => number;

/** Connections that can be destroyed when they are silent. */
export interface SilentConnections {
  /** Remembers what each has heard. */
  listen(): DropSilent;
  /** The same for those that have waited so long for an answer; nothing where there are none. */
  listenToLate(waitedMs: number): DropSilent | undefined;
  /** Fails whoever waits for a connection, since PostgreSQL is silent. */
  failWaiting(): void;
}
