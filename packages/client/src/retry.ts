/**
 * When to try again. A request answered with 429 had no effect, so it is repeated whatever its method.
 * A request that failed or broke off may have had its effect, so only a GET is repeated, and a request
 * with an idempotency key or one that its caller calls repeatable. A DELETE is not: the second one would report that the thing is not there.
 * The wait is what `Retry-After` says; without that header it doubles from a quarter second, with jitter.
 */
const passingFailures = new Set([500, 502, 503, 504]);

/** Longer waits are the caller's to decide. */
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

/** The wait where the service limits requests, for who is patient: as long as it says, and then a moment. */
export function limitDelayMs(retryAfterSeconds: number | undefined, random: number): number {
  return (retryAfterSeconds ?? 1) * 1000 + Math.floor(random * 250);
}

export function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
