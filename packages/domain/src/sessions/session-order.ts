/**
 * Sorts sessions by better match, later activity, then id. Rank and activity are combined into one
 * number, which fits into a page cursor together with the id. Without a search, all sessions have
 * the same rank.
 */
import type { PagePosition } from '../kernel/page.ts';

export const sessionSources = ['direct', 'scenario', 'eval', 'swarm'] as const;
export const sessionScopes = ['titles', 'transcripts'] as const;

export interface SessionPlace {
  readonly id: string;
  readonly lastActivityMs: number;
  /** The rank, from 0 to 9, by which sessions are sorted before their time. */
  readonly rank: number;
}

/**
 * A factor larger than any stored time in milliseconds, so that the rank always counts more than
 * the time.
 */
const momentsOfRank = 100_000_000_000_000;

export function positionOfSession({ id, lastActivityMs, rank }: SessionPlace): PagePosition {
  return { order: rank * momentsOfRank + lastActivityMs, id };
}

export function activityAt({ order, id }: PagePosition): PagePosition {
  return { order: order % momentsOfRank, id };
}

export function sessionsAfter<Session extends SessionPlace>(
  sessions: readonly Session[],
  after: PagePosition | undefined,
): Session[] {
  const placed = sessions.map((session) => ({ session, at: positionOfSession(session) }));
  const following = placed.filter(({ at }) => after === undefined || isBefore(after, at));
  return following
    .sort((one, other) => (isBefore(one.at, other.at) ? -1 : 1))
    .map(({ session }) => session);
}

function isBefore(one: PagePosition, other: PagePosition): boolean {
  return one.order === other.order ? one.id > other.id : one.order > other.order;
}
