/**
 * Decides whether a page has lost the connection to a run it follows. The page polls at least every
 * five seconds; after eight seconds without an answer it shows a notice with the time of the last
 * one. A hidden page does not poll, so the time counts from when it is visible again.
 */
export const silentAfterMs = 8_000;

export function silentSince(known: {
  /** Whether there is a run to follow. */
  readonly isFollowing: boolean;
  readonly heardAtMs: number;
  /** The time since which the page is visible. */
  readonly watchedFromMs: number;
  readonly nowMs: number;
}): number | undefined {
  const { isFollowing, heardAtMs, watchedFromMs, nowMs } = known;
  if (!isFollowing) return undefined;
  return nowMs - Math.max(heardAtMs, watchedFromMs) >= silentAfterMs ? heardAtMs : undefined;
}
