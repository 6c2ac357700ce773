/** Plays one trial. Uses neither a lease nor a database: the caller stores the result. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PlannedTrial, RunPlan } from '@proofmark/domain';
import { finishRecording } from '../../../conversation/recordings/finish-recording.ts';
import { TrialRecorder } from '../../../conversation/recordings/trial-recorder.ts';
import { runTrial } from '../../../conversation/run-trial.ts';
import type { AfterOfTrial, TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import type { RecordingToWrite } from '../store/recordings.ts';
import type { OpenTrials } from './open-trials.ts';
import type { PlayScenario } from './play-conformance.ts';
import type { ReplayedTrial } from './play-recorded.ts';
import type { ScorersOfTrial } from './scorers-with-secret.ts';
import type { TrialMeter } from './trial-meter.ts';
import { toWrite } from './trial-to-write.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface TrialUnderWay {
  readonly meter: Pick<TrialMeter, 'models' | 'judgeModels' | 'spent'>;
  /** Absent if the trial has no cleanup calls. */
  readonly after: AfterOfTrial | undefined;
  readonly signal: AbortSignal;
  /** Plays the trial from its recording; absent if the run is not a replay. */
  replay?(
    terms: NonNullable<RunPlan['replay']>,
    dependencies: TrialDependencies,
  ): Promise<ReplayedTrial>;
  /** Throws if the trial must not count, regardless of its result. */
  refuse?(): void;
}

export async function playTrial(
  run: Pick<OpenTrials, 'plan' | 'dependencies' | 'secrets'> & {
    readonly scorersOf: ScorersOfTrial;
    /** Plays a trial of a run of the conformance suite. */
    readonly playScenario?: PlayScenario | undefined;
  },
  trial: PlannedTrial,
  { meter, after, signal, replay, refuse }: TrialUnderWay,
): Promise<TrialToWrite> {
  const { models, judgeModels } = meter;
  const own = { models, judgeModels, scorers: run.scorersOf(trial), ...(after && { after }) };
  const dependencies: TrialDependencies = { ...run.dependencies, ...own };
  if (run.plan.conformance !== undefined) {
    if (run.playScenario === undefined) throw new Error('Nothing here plays the scenarios.');
    const record = await run.playScenario(trial, signal);
    return { ...withoutSecrets(run.secrets, toWrite(trial.ordinal, record, [])), recording: none };
  }
  const terms = run.plan.replay;
  const recorder = terms === undefined ? recorderOf(run) : undefined;
  const play = async (): Promise<{ record: ReplayedTrial['record']; part: object }> => {
    if (terms === undefined) {
      const recorded = recorder?.around(dependencies) ?? dependencies;
      return { record: await runTrial(recorded, run.plan, trial, signal), part: {} };
    }
    if (replay === undefined) throw new Error('Internal fault: this worker cannot play a replay.');
    return replay(terms, dependencies);
  };
  const { record, part } = await play();
  refuse?.();
  const recording = await keepRecording(run, recorder, record);
  const written = toWrite(trial.ordinal, record, meter.spent());
  return { ...withoutSecrets(run.secrets, written), recording, ...part };
}

const compress = promisify(gzip);

function recorderOf({
  plan,
  dependencies,
}: Pick<OpenTrials, 'plan' | 'dependencies'>): TrialRecorder | undefined {
  if (plan.recordings === 'off') return undefined;
  return new TrialRecorder(plan.servers, () => dependencies.elapsedMs());
}

/**
 * Depending on the suite's settings, only trials that did not pass get a recording. Ungraded trials
 * count as not passed.
 */
async function keepRecording(
  { plan, secrets }: Pick<OpenTrials, 'plan' | 'secrets'>,
  recorder: TrialRecorder | undefined,
  { result, durationMs }: TrialRecord,
): Promise<RecordingToWrite> {
  if (recorder === undefined || !isWanted(plan, result)) return none;
  const finished = finishRecording(recorder, secrets.forms, durationMs);
  if (finished.state !== 'kept') return finished;
  // A fast compression level is enough, because nearly all of the text is repetition.
  const bytes = await compress(finished.content, { level: 3 });
  return { ...finished, content: bytes.toString('base64') };
}

const none: RecordingToWrite = { state: 'off', bytes: 0, hash: null };

function isWanted({ recordings }: RunPlan, result: TrialRecord['result']): boolean {
  return recordings !== 'failed' || result !== 'passed';
}
