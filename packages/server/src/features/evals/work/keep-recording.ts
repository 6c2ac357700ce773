/** Of a trial that ended, what is kept of what it said and heard, by what the suite says. */
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

/** Only what did not pass, where the suite says so: also what could not be graded. */
export async function keepRecording(
  { plan, secrets }: Pick<OpenTrials, 'plan' | 'secrets'>,
  recorder: TrialRecorder | undefined,
  { result, durationMs }: TrialRecord,
): Promise<RecordingToWrite> {
  if (recorder === undefined || !isWanted(plan, result)) return none;
  const finished = finishRecording(recorder, secrets.forms, durationMs);
  if (finished.state !== 'kept') return finished;
  // Quickly: nearly all of it is the same words again.
  const bytes = await compress(finished.content, { level: 3 });
  return { ...finished, content: bytes.toString('base64') };
}

const none: RecordingToWrite = { state: 'off', bytes: 0, hash: null };

function isWanted({ recordings }: RunPlan, result: TrialRecord['result']): boolean {
  return recordings !== 'failed' || result !== 'passed';
}
