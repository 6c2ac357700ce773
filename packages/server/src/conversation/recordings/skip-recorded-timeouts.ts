/**
 * Skips waits that got no answer in the recorded trial: instead of waiting for the time limit, it
 * makes the limit pass immediately. It first waits until nothing more is taken from the recording,
 * because other calls may have been answered meanwhile. Without a time limit it waits as long as
 * the trial may run.
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
    // The wait may be aborted; the reason is thrown below.
    await after(quietMs, undefined, { signal }).catch(() => undefined);
  }
  throw signal.reason;
}
