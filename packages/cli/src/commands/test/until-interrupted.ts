/**
 * Handles Ctrl+C during a test. The first one stops the test and its database cleanly; the second
 * ends the process as soon as the database is down. If a followed run listens for Ctrl+C itself, it
 * gets the signal in place of this handler.
 */
import { EventEmitter } from 'node:events';
import { printNotice } from '../../output.ts';
import { exitCodes } from '../../remote/exit-codes.ts';

export interface Interruption {
  /** Resolves when the user interrupts the test, with the exit code for a test without a result. */
  readonly code: Promise<number>;
  readonly signals: Pick<EventEmitter, 'on' | 'removeListener'>;
}

let endEarly: (() => void) | undefined;

/**
 * Ends the process with one sentence if it is interrupted before `untilInterrupted`, while nothing
 * is started that would have to be stopped.
 */
export function endIfInterrupted(): void {
  if (endEarly !== undefined) return;
  endEarly = () => {
    printNotice('interrupted before anything was started.');
    process.exit(exitCodes.other);
  };
  process.on('SIGINT', endEarly);
}

function tellInterrupted(): void {
  printNotice('interrupted, so there is no verdict; ending what was started …');
}

export async function untilInterrupted(
  act: (interruption: Interruption) => Promise<number>,
  /** Stops whatever must not outlive the process, such as a database. */
  stopAtOnce: () => Promise<void> = async () => undefined,
  /** Whether an interruption is the way to end it, so that it is nothing to tell. */
  isExpected = false,
): Promise<number> {
  if (endEarly) process.off('SIGINT', endEarly);
  endEarly = undefined;
  const signals = new EventEmitter();
  let isAsked = false;
  let interrupt: (code: number) => void = () => undefined;
  const code = new Promise<number>((resolve) => {
    interrupt = resolve;
  });
  const end = () => {
    if (!isAsked && !isExpected) tellInterrupted();
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
