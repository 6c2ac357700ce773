/**
 * Skips waits that got no response in the recorded trial: makes the time limit pass immediately.
 * Before that, it waits until no more exchanges are taken from the recording, because other calls
 * may still be answered. Without a time limit it waits until the trial is stopped.
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
    // An abort ends this wait; its reason is thrown below.
    await after(quietMs, undefined, { signal }).catch(() => undefined);
  }
  throw signal.reason;
}
