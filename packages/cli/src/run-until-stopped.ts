import { exitCodes } from './remote/exit-codes.ts';

/**
 * Runs something until the operator stops it. Signals are handled from the start: a signal during
 * the start-up lets it finish and then stops cleanly, so that no database is left behind. A second
 * signal, or a stop that takes too long, ends the process as soon as its database is down.
 */
export async function runUntilStopped(
  start: () => Promise<{ stop(): Promise<void> }>,
  /** Stops everything that would outlive this process. */
  leaveNothing: () => Promise<void>,
): Promise<void> {
  let isLeaving = false;
  const leave = () => {
    if (isLeaving) return;
    isLeaving = true;
    void leaveNothing().finally(() => process.exit(exitCodes.other));
  };
  const stopped = new Promise<void>((resolve) => {
    let isAsked = false;
    const onSignal = () => {
      if (isAsked) leave();
      isAsked = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  const running = await start();
  await stopped;
  // Orchestrators kill a process after 30 s. If stopping hangs, the process exits before that.
  const deadline = setTimeout(leave, 27_000);
  try {
    await running.stop();
  } finally {
    clearTimeout(deadline);
  }
}
