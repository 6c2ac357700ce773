/**
 * Runs something until the operator stops it. Signals are heard from the first moment: one that
 * comes during the start lets the start finish and then stops cleanly, so that no database is left
 * behind. A second signal ends the process at once.
 */
export async function runUntilStopped(
  start: () => Promise<{ stop(): Promise<void> }>,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    const onSignal = () => {
      process.removeListener('SIGINT', onSignal);
      process.removeListener('SIGTERM', onSignal);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  const running = await start();
  await stopped;
  // Orchestrators kill a process after 30 s. If stopping hangs, the process exits by itself before that.
  const deadline = setTimeout(() => process.exit(1), 29_000);
  try {
    await running.stop();
  } finally {
    clearTimeout(deadline);
  }
}
