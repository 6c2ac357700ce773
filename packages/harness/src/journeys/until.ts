/**
 * Polls until a condition holds and fails with a sentence, so that a test never hangs. The interval
 * grows, up to a tenth of a second: most checks are calls that take CPU from the awaited work.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - begun;
    if (waitedMs > withinMs) throw new Error(`Waited in vain until ${what}.`);
    const pauseMs = Math.min(Math.max(10, waitedMs / 10), 100);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
