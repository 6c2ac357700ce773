/**
 * Skips waits that ended without an answer in the recorded trial: the time limit passes as soon as
 * nothing else is taken from the recording, since other calls may have been answered meanwhile.
 * Without a time limit, it waits as long as this trial may run.
 */
import { setTimeout as after } from 'node:timers/promises';
import { Deadline } from '@proofmark/domain';
import type { OpenedRecordingOfTrial } from './opened-recording.ts';

const quietMs = 100;

export async function skipRecordedTimeouts(
  recorded: Pick<OpenedRecordingOfTrial, 'taken'>,
  signal: AbortSignal,
): Promise<never> {
  for (let known = -1; !signal.aborted; ) {
    const { taken } = recorded;
    if (taken === known) Deadline.passTime(signal);
    known = taken;
    // An abort meanwhile is thrown below.
    await after(quietMs, undefined, { signal }).catch(() => undefined);
  }
  throw signal.reason;
}
