/** Returns the recording of an ended trial for storage, by the settings of the suite. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RunPlan } from '@proofmark/domain';
import { finishRecording } from '../../../conversation/recordings/finish-recording.ts';
import { TrialRecorder } from '../../../conversation/recordings/trial-recorder.ts';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import type { RecordingToWrite } from '../store/recordings.ts';
import type { OpenTrials } from './open-trials.ts';

const compress = promisify(gzip);

export function recorderOf({
  plan,
  dependencies,
}: Pick<OpenTrials, 'plan' | 'dependencies'>): TrialRecorder | undefined {
  if (plan.recordings === 'off') return undefined;
  return new TrialRecorder(plan.servers, () => dependencies.elapsedMs());
}

/** If the suite says so, only trials that did not pass are stored, including ungraded ones. */
export async function keepRecording(
  { plan, secrets }: Pick<OpenTrials, 'plan' | 'secrets'>,
  recorder: TrialRecorder | undefined,
  { result, durationMs }: TrialRecord,
): Promise<RecordingToWrite> {
  if (recorder === undefined || !isWanted(plan, result)) return none;
  const finished = finishRecording(recorder, secrets.forms, durationMs);
  if (finished.state !== 'kept') return finished;
  // A fast level suffices, because nearly all of the text is repetition.
  const bytes = await compress(finished.content, { level: 3 });
  return { ...finished, content: bytes.toString('base64') };
}

const none: RecordingToWrite = { state: 'off', bytes: 0, hash: null };

function isWanted({ recordings }: RunPlan, result: TrialRecord['result']): boolean {
  return recordings !== 'failed' || result !== 'passed';
}
