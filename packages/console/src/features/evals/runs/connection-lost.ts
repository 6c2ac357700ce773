/**
 * Whether a page that follows something has stopped knowing. It asks every five seconds at the latest; where nothing
 * was heard for eight, it says so, and since when. While nobody looks it does not ask, and knows nothing new for a good
 * reason: the time counts from when somebody looks again.
 */
export const silentAfterMs = 8_000;

export function silentSince(known: {
  /** Whether there is something to follow. */
  readonly isFollowing: boolean;
  readonly heardAtMs: number;
  /** Since when somebody looks at the page. */
  readonly watchedFromMs: number;
  readonly nowMs: number;
}): number | undefined {
  const { isFollowing, heardAtMs, watchedFromMs, nowMs } = known;
  if (!isFollowing) return undefined;
  return nowMs - Math.max(heardAtMs, watchedFromMs) >= silentAfterMs ? heardAtMs : undefined;
}
