import type { DatabaseAway } from './database-away.ts';

/** Connections that can be destroyed when they are silent. */
export interface Watched {
  /**
   * Remembers what each has heard; what it returns destroys those that have heard nothing since, unless PostgreSQL says
   * that it is at work for them. Says how many of those there are.
   */
  listen(): (reason: DatabaseAway, atWork: ReadonlySet<number>) => number;
}
