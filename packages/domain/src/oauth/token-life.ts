/**
 * When a token is renewed. Shortly before it expires, so that no call meets the end; a quarter of its life
 * before for tokens that live shortly, else they would be renewed at every call. A refusal by the server renews
 * a token too, but not one that was renewed a moment ago: a server that refuses every token must not make us ask
 * for another with every call. After a failure there is a pause that grows.
 *
 * All times are distances from now as the database sees it.
 */
export interface TokenLife {
  /** Negative once it has expired; null where nobody said. */
  readonly expiresInMs: number | null;
  /** Since the import or the last renewal. */
  readonly ageMs: number;
  /** Whether this token came from a renewal, not from an import. */
  readonly renewed: boolean;
  readonly canBeRenewed: boolean;
}

/** `soon`: a new one is wanted, and this one still works if there is none. */
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

/** `failures` counts this one. */
export function pauseAfterFailureMs(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (Math.max(1, failures) - 1));
}

/** What may be added to a date without leaving the range of dates; a token that lives longer never expires. */
export function lifetimeMsOf(expiresInSeconds: number | undefined): number | null {
  if (expiresInSeconds === undefined || !(expiresInSeconds >= 0)) return null;
  return expiresInSeconds > longestLifeSeconds ? null : Math.floor(expiresInSeconds * 1000);
}

const longestMarginMs = 60_000;
const trustRenewedMs = 30_000;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
const longestLifeSeconds = 100 * 365 * 24 * 3600;
