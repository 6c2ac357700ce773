/**
 * Handles Ctrl+C during a test. The first one stops the test and its database cleanly; the second
 * ends the process as soon as the database has stopped.
 */
import { EventEmitter } from 'node:events';
import { printNotice } from '../../output.ts';
import { exitCodes } from '../../remote/exit-codes.ts';

export interface Interruption {
  /** Resolves on an interruption with the exit code for a test without a result. */
  readonly code: Promise<number>;
  readonly signals: Pick<EventEmitter, 'on' | 'removeListener'>;
}

let endEarly: (() => void) | undefined;

/**
 * On Ctrl+C before `untilInterrupted`, prints one sentence and ends the process. Nothing that must
 * be stopped has been started by then.
 */
export function endIfInterrupted(): void {
  if (endEarly !== undefined) return;
  endEarly = () => {
    printNotice('interrupted before anything was started.');
    process.exit(exitCodes.other);
  };
  process.on('SIGINT', endEarly);
}

function printInterrupted(): void {
  printNotice('interrupted, so there is no verdict; ending what was started …');
}

export async function untilInterrupted(
  act: (interruption: Interruption) => Promise<number>,
  /** Stops everything that must not outlive the process, such as a database. */
  stopAtOnce: () => Promise<void> = async () => undefined,
  /** Whether Ctrl+C is the normal way to end the command, so that no notice is printed. */
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
    if (!isAsked && !isExpected) printInterrupted();
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
