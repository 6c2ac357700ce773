/**
 * The request limit: a bucket of `burst` tokens that refills at `perMinute`. Only the time at which
 * the bucket is full again is stored; each request moves it ahead by the time of one token. A time
 * too far ahead is not trusted, so a clock that jumps back locks nobody out.
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

/** A token is free if the bucket will be full again within this time (in milliseconds). */
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

/** Returns whole seconds, rounded up, so that a client that waits this long is never too early. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/**
 * The limit for a console session. One person uses a session, but pages load several things at
 * once.
 */
export const sessionRateLimit: RateLimit = { perMinute: 600, burst: 120 };
/**
 * Limits against guessing passwords: for one visitor, for one visitor at one account, and for all
 * visitors at one account. A single stranger cannot use up the last limit and so lock the owner
 * out.
 */
export const signInRateLimits = {
  visitor: { perMinute: 30, burst: 60 },
  visitorAtAccount: { perMinute: 5, burst: 10 },
  account: { perMinute: 60, burst: 120 },
} as const satisfies Readonly<Record<string, RateLimit>>;
