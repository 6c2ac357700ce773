/**
 * Decides whether a page has lost the connection to a run. The page polls at least every five
 * seconds; after eight seconds without a response, it shows when the last one arrived. Time in
 * which the page was hidden does not count.
 */
export const silentAfterMs = 8_000;

export function silentSince(known: {
  readonly isFollowing: boolean;
  readonly lastReadAtMs: number;
  /** Time at which the page last became visible. */
  readonly watchedFromMs: number;
  readonly nowMs: number;
}): number | undefined {
  const { isFollowing, lastReadAtMs, watchedFromMs, nowMs } = known;
  if (!isFollowing) return undefined;
  return nowMs - Math.max(lastReadAtMs, watchedFromMs) >= silentAfterMs ? lastReadAtMs : undefined;
}
