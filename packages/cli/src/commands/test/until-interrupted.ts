/**
 * Ctrl+C during a test ends it cleanly: what was started is stopped, the database of the test too. A second one ends the
 * process as soon as that is down.
 */
import { exitCodes } from '../../remote/exit-codes.ts';

export interface Interruption {
  /** Resolves when it comes: a test without a result is no failed one. */
  readonly code: Promise<number>;
}

export async function untilInterrupted(
  act: (interruption: Interruption) => Promise<number>,
): Promise<number> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  let isAsked = false;
  let interrupt: (code: number) => void = () => undefined;
  const code = new Promise<number>((resolve) => {
    interrupt = resolve;
  });
  const onSignal = () => {
    if (isAsked) void leave();
    isAsked = true;
    interrupt(exitCodes.other);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await act({ code });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function leave(): Promise<never> {
  const { stopEmbeddedDatabases } = await import('@proofmark/server');
  await stopEmbeddedDatabases();
  process.exit(exitCodes.other);
}
