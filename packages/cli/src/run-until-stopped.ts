import { exitCodes } from './remote/exit-codes.ts';

/**
 * Runs a service until the operator stops it. A signal during the start takes effect after the
 * start, so that no database is left running.
 */
export async function runUntilStopped(
  start: () => Promise<{ stop(): Promise<void> }>,
  /** Stops everything that would outlive this process, such as a database. */
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
  // Orchestrators kill a process 30 s after asking it to stop. If stopping hangs, this process
  // exits after 27 s.
  const deadline = setTimeout(leave, 27_000);
  try {
    await running.stop();
  } finally {
    clearTimeout(deadline);
  }
}
