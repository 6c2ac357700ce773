/**
 * Decides whether a page has lost the connection to a run that it follows. The page polls at least
 * every five seconds; after eight seconds without an answer it shows when the last one arrived. A
 * hidden page does not poll, so the eight seconds begin when it becomes visible again.
 */
export const silentAfterMs = 8_000;

export function silentSince(known: {
  /** Whether the page follows a run that is still in progress. */
  readonly isFollowing: boolean;
  readonly heardAtMs: number;
  /** The time at which the page last became visible. */
  readonly watchedFromMs: number;
  readonly nowMs: number;
}): number | undefined {
  const { isFollowing, heardAtMs, watchedFromMs, nowMs } = known;
  if (!isFollowing) return undefined;
  return nowMs - Math.max(heardAtMs, watchedFromMs) >= silentAfterMs ? heardAtMs : undefined;
}
