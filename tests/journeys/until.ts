/**
 * Waits for something to become true; gives up with a sentence, so that a test never hangs. It looks less often the longer
 * it waits, at least ten times a second: most looks are calls, which take CPU from what is waited for.
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
