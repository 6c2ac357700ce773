/**
 * Plays the trials of a run from recordings, without calling servers. A model is called only for a
 * judge whose answer was not recorded.
 */
import {
  chooseModel,
  type ModelOffer,
  type PatternEngine,
  type RunPlan,
  recordingOfVariant,
} from '@proofmark/domain';
import { OpenedRecordingOfTrial } from '../../../conversation/recordings/opened-recording.ts';
import { unrecordedTrial } from '../../../conversation/recordings/unrecorded-trial.ts';
import type { RunServers } from '../../../conversation/run-servers.ts';
import type { WidgetsHere } from '../../../outside/browser/widgets-here.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { OwnScorers } from '../../../outside/scorers/own-scorers.ts';
import { playRecorded } from '../work/play-recorded.ts';
import { meterTrial } from '../work/trial-meter.ts';
import { toWrite } from '../work/trial-to-write.ts';
import { withoutSecrets } from '../work/without-secrets.ts';
import type { TrialPlayer } from './in-memory-run.ts';
import type { RecordedTrial } from './recorded-trials.ts';

export interface ReplayDependencies {
  readonly offer: ModelOffer;
  /** Called only if a judge's answer was not recorded. */
  readonly models: Pick<ModelGateway, 'generate'>;
  readonly patterns: PatternEngine;
  readonly widgets?: WidgetsHere;
}

export function playerOfRecordings(
  plan: RunPlan,
  recorded: readonly RecordedTrial[],
  { offer, models, patterns, widgets }: ReplayDependencies,
): TrialPlayer {
  const { replay } = plan;
  if (replay === undefined)
    throw new Error('Internal fault: only a replay can be played from recordings.');
  const byCase = new Map<string, RecordedTrial[]>();
  for (const trial of recorded) {
    const ofCase = byCase.get(trial.caseId);
    if (ofCase === undefined) byCase.set(trial.caseId, [trial]);
    else ofCase.push(trial);
  }
  const secrets = new TraceSecrets();
  const shared = {
    servers: nobody,
    skillTexts: new Map<string, string>(),
    patterns,
    ...(widgets && { widgets }),
    modelOf(variant: { readonly model: string; readonly provider?: string }) {
      const chosen = chooseModel(variant, offer, []);
      if (!('refusal' in chosen)) return { model: chosen };
      throw new ModelFailure(
        'REQUEST_REFUSED',
        `This installation no longer offers the model ${variant.model}.`,
        0,
      );
    },
    redact: <Kept>(kept: Kept) => secrets.redact(kept),
    now: () => Date.now(),
    elapsedMs: () => performance.now(),
  };
  return {
    async play(trial, signal) {
      const { ordinal, caseIndex, variantIndex, trialNumber } = trial;
      const planned = plan.cases[caseIndex];
      const variant = planned?.variants[variantIndex];
      if (planned === undefined || variant === undefined)
        throw new Error('Internal fault: the plan of the run does not contain this trial.');
      const { caseId } = planned;
      const ofCase = byCase.get(caseId) ?? [];
      const found = recordingOfVariant(caseId, variant, trialNumber, ofCase, replay.model);
      const meter = meterTrial(plan, models, trial);
      const { record, part } =
        found === undefined
          ? { record: unrecordedTrial(planned), part: { replayState: 'notRecorded' as const } }
          : await playRecorded(
              { plan, secrets },
              replay,
              trial,
              new OpenedRecordingOfTrial(found.recording, found.durations ?? noDurations),
              {
                ...shared,
                scorers: noScorers,
                models: meter.models,
                judgeModels: meter.judgeModels,
              },
              signal,
            );
      // The recording already contains the conversation, and nothing reads the trace of an
      // in-memory replay.
      const written = { ...toWrite(ordinal, record, meter.spent()), trace: null };
      return { ...withoutSecrets(secrets, written), recording: notKept, ...part };
    },
    close: async () => undefined,
  };
}

const notKept = { state: 'off', bytes: 0, hash: null } as const;

const noScorers: OwnScorers = {
  ask: async () => ({
    problem:
      'The scorer was not called, because a replay of recordings calls no scorers. To get its score, run the suite without --replay in a project that has a scorer secret.',
  }),
};

/** Recording files contain no durations. */
const noDurations = { servers: [], exchanges: [] };

const nobody: RunServers = {
  forTrial: () =>
    Promise.reject(new Error('Internal fault: a replay without a service has no servers.')),
  listAgain: () =>
    Promise.reject(new Error('Internal fault: a replay without a service has no servers.')),
  close: async () => undefined,
};
