/** Waits for the operator to stop the process, then lets it stop cleanly; a second signal ends it at once. */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    const onSignal = () => {
      process.removeListener('SIGINT', onSignal);
      process.removeListener('SIGTERM', onSignal);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  // Whatever hangs, the process is gone before an orchestrator would lose patience.
  const deadline = setTimeout(() => process.exit(1), 29_000);
  await stop();
  clearTimeout(deadline);
}
