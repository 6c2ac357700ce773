/**
 * The request limit: a bucket of `burst` tokens that refills at `perMinute`, kept as one instant
 * (the time at which the bucket would be full again). A request passes when that instant is less
 * than the whole bucket away; it then moves one token's time ahead. The instant is never trusted
 * further ahead than the bucket reaches, so a clock that jumps back locks nobody out.
 */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

export function parseRateLimit(text: string): RateLimit | 'off' | undefined {
  if (text === 'off') return 'off';
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const perMinute = Number(match?.[1] ?? 0);
  const burst = Number(match?.[2] ?? 0);
  return perMinute > 0 && burst > 0 ? { perMinute, burst } : undefined;
}

export function tokenMs(limit: RateLimit): number {
  return 60_000 / limit.perMinute;
}

/** Returns how far ahead of now the full-again instant may be for one more token. */
export function toleranceMs(limit: RateLimit): number {
  return tokenMs(limit) * (limit.burst - 1);
}

export interface Taken {
  readonly allowed: boolean;
  readonly fullAtMs: number;
  readonly retryAfterSeconds: number;
}

export function takeToken(fullAtMs: number | undefined, nowMs: number, limit: RateLimit): Taken {
  const ceiling = nowMs + toleranceMs(limit) + tokenMs(limit);
  const full = Math.max(nowMs, Math.min(fullAtMs ?? nowMs, ceiling));
  const waitMs = full - nowMs - toleranceMs(limit);
  if (waitMs > 0) {
    return { allowed: false, fullAtMs: full, retryAfterSeconds: retryAfterSeconds(waitMs) };
  }
  return { allowed: true, fullAtMs: full + tokenMs(limit), retryAfterSeconds: 0 };
}

/** Returns whole seconds, rounded up, so that this wait is always long enough. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/** One person uses a console session; pages load several things at once. */
export const sessionRateLimit: RateLimit = { perMinute: 600, burst: 120 };
/**
 * Three limits slow down guessing of passwords: for one visitor, for one visitor at one account,
 * and for all visitors at one account. The last is so wide that a single stranger cannot use it up
 * and lock the owner out.
 */
export const signInRateLimits = {
  visitor: { perMinute: 30, burst: 60 },
  visitorAtAccount: { perMinute: 5, burst: 10 },
  account: { perMinute: 60, burst: 120 },
} as const satisfies Readonly<Record<string, RateLimit>>;
