/**
 * Plays one trial with what its run has open, and answers with what is to be kept of it. It knows neither a lease nor a
 * database: a worker writes the answer, and a run in memory holds it.
 */
import type { PlannedTrial, RunPlan } from '@proofmark/domain';
import { runTrial } from '../../../conversation/run-trial.ts';
import type { AfterOfTrial, TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import { keepRecording, recorderOf } from './keep-recording.ts';
import type { OpenTrials } from './open-trials.ts';
import type { ReplayedTrial } from './play-recorded.ts';
import type { ScorersOfTrial } from './scorers-with-secret.ts';
import type { TrialMeter } from './trial-meter.ts';
import { toWrite } from './trial-to-write.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface TrialUnderWay {
  readonly meter: Pick<TrialMeter, 'models' | 'judgeModels' | 'spent'>;
  /** Absent where nothing is to be called after it. */
  readonly after: AfterOfTrial | undefined;
  readonly signal: AbortSignal;
  /** Plays a trial of a replay; absent where there is none to play. */
  replay?(
    terms: NonNullable<RunPlan['replay']>,
    dependencies: TrialDependencies,
  ): Promise<ReplayedTrial>;
  /** Throws where the trial counts for nothing, whatever came of it. */
  refuse?(): void;
}

export async function playTrial(
  run: Pick<OpenTrials, 'plan' | 'dependencies' | 'secrets'> & {
    readonly scorersOf: ScorersOfTrial;
  },
  trial: PlannedTrial,
  { meter, after, signal, replay, refuse }: TrialUnderWay,
): Promise<TrialToWrite> {
  const { models, judgeModels } = meter;
  const own = { models, judgeModels, scorers: run.scorersOf(trial), ...(after && { after }) };
  const dependencies: TrialDependencies = { ...run.dependencies, ...own };
  const terms = run.plan.replay;
  const recorder = terms === undefined ? recorderOf(run) : undefined;
  const play = async (): Promise<{ record: ReplayedTrial['record']; part: object }> => {
    if (terms === undefined) {
      const recorded = recorder?.around(dependencies) ?? dependencies;
      return { record: await runTrial(recorded, run.plan, trial, signal), part: {} };
    }
    if (replay === undefined) throw new Error('Nothing here plays a replay.');
    return replay(terms, dependencies);
  };
  const { record, part } = await play();
  refuse?.();
  const recording = await keepRecording(run, recorder, record);
  const written = toWrite(trial.ordinal, record, meter.spent());
  return { ...withoutSecrets(run.secrets, written), recording, ...part };
}
