/**
 * The rules for retries. A request answered with 429 had no effect, so it is repeated with any
 * method. A request that failed or broke off may have had its effect, so only a GET is repeated,
 * and a request with an idempotency key or one that its caller declares repeatable. A DELETE is
 * not: the second one would report a missing thing. The wait is that of `Retry-After`; without that
 * header it doubles from a quarter second, with jitter.
 */
const passingFailures = new Set([500, 502, 503, 504]);

/** Longer waits are left to the caller. */
const longestWaitMs = 60_000;

export function mayRetry(
  sending: {
    readonly method: string;
    readonly idempotencyKey?: string;
    readonly isRepeatable?: boolean | undefined;
  },
  status: number | 'broken',
): boolean {
  if (status === 429) return true;
  const isSafe =
    sending.method === 'GET' ||
    sending.idempotencyKey !== undefined ||
    sending.isRepeatable === true;
  return isSafe && (status === 'broken' || passingFailures.has(status));
}

export function retryDelayMs(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined {
  if (retryAfterSeconds !== undefined) {
    const waitMs = retryAfterSeconds * 1000;
    return waitMs > longestWaitMs ? undefined : waitMs + Math.floor(random * 250);
  }
  const ceiling = Math.min(8000, 250 * 2 ** attempt);
  return Math.floor(ceiling / 2 + (random * ceiling) / 2);
}

/**
 * Returns the wait of a patient caller under a limit: the time that the service states, plus a
 * moment.
 */
export function limitDelayMs(retryAfterSeconds: number | undefined, random: number): number {
  return (retryAfterSeconds ?? 1) * 1000 + Math.floor(random * 250);
}

export function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
