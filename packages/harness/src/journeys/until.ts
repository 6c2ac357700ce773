/**
 * Polls until a condition holds; after the time limit it fails with a sentence, so that a test
 * never hangs. The interval grows up to 100 ms, since most checks take CPU from the work that they
 * wait for.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - begun;
    if (waitedMs > withinMs) throw new Error(`Timed out while waiting until ${what}.`);
    const pauseMs = Math.min(Math.max(10, waitedMs / 10), 100);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
