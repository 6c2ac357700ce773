/**
 * A signal ends the wait without cancelling the run. The process then ends by the same signal, so
 * that a calling script ends too.
 */
export async function whileNotInterrupted<Ended>(
  waiting: Promise<Ended>,
  onInterrupt: () => void,
): Promise<Ended> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    onInterrupt();
    for (const name of signals) process.removeListener(name, onSignal);
    process.kill(process.pid, signal);
  };
  for (const name of signals) process.on(name, onSignal);
  try {
    return await waiting;
  } finally {
    for (const name of signals) process.removeListener(name, onSignal);
  }
}
