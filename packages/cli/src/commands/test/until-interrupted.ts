/**
 * Handles Ctrl+C during a test: the first stops the test cleanly, its database included, the second
 * ends the process as soon as the database is down. Other listeners, such as a run that is followed
 * at a terminal, get Ctrl+C instead.
 */
import { EventEmitter } from 'node:events';
import { exitCodes } from '../../remote/exit-codes.ts';

export interface Interruption {
  /** Resolves at the interruption, with the code for a test without a result. */
  readonly code: Promise<number>;
  readonly signals: Pick<EventEmitter, 'on' | 'removeListener'>;
}

export async function untilInterrupted(
  act: (interruption: Interruption) => Promise<number>,
  /** Stops everything that must not outlive the process. */
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
