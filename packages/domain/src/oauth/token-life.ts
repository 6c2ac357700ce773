/**
 * Decides when a token is renewed.
 *
 * - At most 60 seconds before it expires. A short-lived token is renewed in the last quarter of its
 *   life; otherwise every call would renew it.
 * - After the server rejected it, unless it was renewed less than 30 seconds ago. A server that
 *   rejects every token must not cause a renewal with every call.
 * - After a failed renewal there is a pause, which grows with each failure.
 *
 * All times are relative to now, by the clock of the database.
 */
export interface TokenLife {
  /** The remaining lifetime; negative after the token has expired, null if unknown. */
  readonly expiresInMs: number | null;
  /** Milliseconds since the import or the last renewal. */
  readonly ageMs: number;
  /** Whether this token came from a renewal, not from an import. */
  readonly renewed: boolean;
  readonly canBeRenewed: boolean;
}

/** Returns whether a token needs renewal: `soon` if it should be renewed but still works. */
export function renewalNeed(life: TokenLife): 'none' | 'soon' | 'now' {
  if (!life.canBeRenewed || life.expiresInMs === null) return 'none';
  if (life.expiresInMs <= 0) return 'now';
  const lifeMs = life.expiresInMs + Math.max(0, life.ageMs);
  return life.expiresInMs <= Math.min(longestMarginMs, lifeMs / 4) ? 'soon' : 'none';
}

export function mayRenewRefused(life: TokenLife): boolean {
  if (!life.canBeRenewed) return false;
  const hasExpired = life.expiresInMs !== null && life.expiresInMs <= 0;
  return !life.renewed || hasExpired || life.ageMs >= trustRenewedMs;
}

export function pauseAfterFailureMs(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (Math.max(1, failures) - 1));
}

/**
 * Returns null for a lifetime above 100 years, which would not fit into a date: such a token counts
 * as never expiring.
 */
export function lifetimeMsOf(expiresInSeconds: number | undefined): number | null {
  if (expiresInSeconds === undefined || !(expiresInSeconds >= 0)) return null;
  return expiresInSeconds > longestLifeSeconds ? null : Math.floor(expiresInSeconds * 1000);
}

const longestMarginMs = 60_000;
const trustRenewedMs = 30_000;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
const longestLifeSeconds = 100 * 365 * 24 * 3600;
