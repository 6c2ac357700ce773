/**
 * When to try again. A 429 was refused before it had any effect, so every method may repeat it; a
 * failed or broken-off request may have had its effect, so only reads are repeated, and what bears a
 * key by which the service knows it again: a second DELETE would report that the thing is not there.
 * `Retry-After` is honoured where it is given; where it is not, the wait doubles from a quarter
 * second, with jitter, and never waits for a header that may not come.
 */
const passingFailures = new Set([500, 502, 503, 504]);

/** Longer waits are the caller's to decide. */
const longestWaitMs = 60_000;

export function mayRetry(
  sending: { readonly method: string; readonly idempotencyKey?: string },
  status: number | 'broken',
): boolean {
  if (status === 429) return true;
  const isSafe = sending.method === 'GET' || sending.idempotencyKey !== undefined;
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

export function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
