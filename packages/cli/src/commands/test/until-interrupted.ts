/**
 * Handles Ctrl+C during a test. The first one stops the test and its database cleanly; the second
 * ends the process as soon as the database is down. If a followed run listens for Ctrl+C itself, it
 * gets the signal in place of this handler.
 */
import { EventEmitter } from 'node:events';
import { exitCodes } from '../../remote/exit-codes.ts';

export interface Interruption {
  /** Resolves when the user interrupts the test, with the exit code for a test without a result. */
  readonly code: Promise<number>;
  readonly signals: Pick<EventEmitter, 'on' | 'removeListener'>;
}

export async function untilInterrupted(
  act: (interruption: Interruption) => Promise<number>,
  /** Stops whatever must not outlive the process, such as a database. */
  stopAtOnce: () => Promise<void> = async () => undefined,
): Promise<number> {
  const signals = new EventEmitter();
  let isAsked = false;
  let interrupt: (code: number) => void = () => undefined;
  const code = new Promise<number>((resolve) => {
    interrupt = resolve;
  });
  const end = () => {
    if (isAsked) void stopAtOnce().then(() => process.exit(exitCodes.other));
    isAsked = true;
    interrupt(exitCodes.other);
  };
  const onInterrupt = () => {
    if (!signals.emit('SIGINT')) end();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', end);
  try {
    return await act({ code, signals });
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', end);
  }
}
