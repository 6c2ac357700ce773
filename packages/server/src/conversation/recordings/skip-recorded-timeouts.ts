/**
 * What the recorded trial waited for in vain is not waited for again: the time that bounds it is over as soon as nothing
 * else of the recording is asked for any more, since other calls may have been answered meanwhile. Where no time bounds it,
 * it is waited for as long as this trial may go on.
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
    // Whoever is stopped meanwhile is told below.
    await after(quietMs, undefined, { signal }).catch(() => undefined);
  }
  throw signal.reason;
}
