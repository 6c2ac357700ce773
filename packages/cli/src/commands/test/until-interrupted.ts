/**
 * Ctrl+C during a test ends it cleanly: what was started is stopped, the database of the test too. A second one ends the
 * process as soon as that is down. Whoever listens meanwhile, as a run that is followed at a terminal does, hears Ctrl+C
 * in its place.
 */
import { EventEmitter } from 'node:events';
import { exitCodes } from '../../remote/exit-codes.ts';

export interface Interruption {
  /** Resolves when it comes: a test without a result is no failed one. */
  readonly code: Promise<number>;
  readonly signals: Pick<EventEmitter, 'on' | 'removeListener'>;
}

export async function untilInterrupted(
  act: (interruption: Interruption) => Promise<number>,
  /** What has to be down before the process may go. */
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
