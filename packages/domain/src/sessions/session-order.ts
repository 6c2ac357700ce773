/**
 * The order of a list of sessions: the better match first, then the later activity, then the id.
 * The position is one number and the id, so that it fits into a cursor, and a page begins strictly
 * after it even if sessions were added in between. Without a search, all matches are equal.
 */
import type { PagePosition } from '../kernel/page.ts';

export const sessionSources = ['direct', 'scenario', 'eval', 'swarm'] as const;
export const sessionScopes = ['titles', 'transcripts'] as const;

export interface SessionPlace {
  readonly id: string;
  readonly lastActivityMs: number;
  /** 0 to 9. */
  readonly rank: number;
}

/** More milliseconds than any stored time has. */
const momentsOfRank = 100_000_000_000_000;

export function positionOfSession({ id, lastActivityMs, rank }: SessionPlace): PagePosition {
  return { order: rank * momentsOfRank + lastActivityMs, id };
}

/** Returns the activity and the id of a position among equal matches. */
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
