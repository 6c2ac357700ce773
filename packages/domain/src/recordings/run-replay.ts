import * as z from 'zod';
import { Divergence } from './divergence.ts';
import {
  matchRecording,
  type ReplayedSide,
  recordedRepetitions,
  recordingsOf,
  type TrialToMatch,
} from './match-recordings.ts';

const Side = z.enum(['recorded', 'live']);

export const ReplayTermsOfRun = z.strictObject({
  runId: z.string(),
  model: Side,
  servers: Side,
  onDivergence: z.enum(['stop', 'live']),
});
export type ReplayTermsOfRun = z.infer<typeof ReplayTermsOfRun>;

export const modelAskedInReplay = ['never', 'ifDiverged', 'always'] as const;
export type ModelAskedInReplay = (typeof modelAskedInReplay)[number];

export function modelAskedBy(terms: ReplayTermsOfRun): ModelAskedInReplay {
  if (terms.model === 'live') return 'always';
  return terms.onDivergence === 'live' ? 'ifDiverged' : 'never';
}

export function replayToEstimate(replay: ReplayTermsOfRun | undefined) {
  if (replay === undefined) return {};
  const { runId, model, servers, onDivergence } = replay;
  return { replayRunId: runId, replayModel: model, replayServers: servers, onDivergence };
}

const Count = z.number().int().min(0);

export const RunReplay = z
  .object({
    ...ReplayTermsOfRun.shape,
    trials: Count.meta({ description: 'The number of trials that were played from a recording.' }),
    diverged: Count.meta({
      description: 'The number of these trials that differ from their recording.',
    }),
    notRecorded: Count.meta({ description: 'The number of trials without a recording.' }),
    mostFrequent: Divergence.extend({ trials: Count }).nullable().meta({
      description: 'The most frequent first divergence, as in the first trial that has it.',
    }),
  })
  .meta({
    id: 'EvalRunReplay',
    description:
      'An addition of Proofmark beyond the specification: present if the run replays an earlier run from its recordings. It is not compared with other runs automatically and does not count as the latest run of its suite.',
  });
export type RunReplay = z.infer<typeof RunReplay>;

/**
 * If any trial diverged or was not recorded, the replay does not count, regardless of its grades.
 */
export function wentAsRecorded(replay: RunReplay | undefined): boolean {
  return replay === undefined || replay.diverged + replay.notRecorded === 0;
}

export const replayStates = ['played', 'continuedLive', 'diverged', 'notRecorded'] as const;
export type ReplayState = (typeof replayStates)[number];

export const notRecordedMessage = 'Nothing was recorded for this trial, so it was not replayed.';

/**
 * The next action after a replay that did not follow its recordings. Replaying again would have the
 * same result.
 */
export const replayActions = {
  diverged:
    'Look at the differences from the recording; if they are intended, record the run again.',
  notRecorded: 'Record the trials that have no recording, then replay them.',
} as const;

export interface ReplayedTrial {
  /** Null until the trial has ended. */
  readonly state: string | null;
  readonly divergence: Divergence | null;
}

export function summarizeReplay(
  terms: ReplayTermsOfRun,
  trials: readonly ReplayedTrial[],
): RunReplay {
  const diverged = trials.flatMap(({ divergence }) => (divergence === null ? [] : [divergence]));
  const groups = new Map<string, Divergence[]>();
  for (const one of diverged) {
    const key = sameDivergence(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const [most] = [...groups.values()].sort((one, other) => other.length - one.length);
  const notRecorded = trials.filter(({ state }) => state === 'notRecorded').length;
  return {
    ...terms,
    trials: trials.filter(({ state }) => state !== null).length - notRecorded,
    diverged: diverged.length,
    notRecorded,
    mostFrequent: most?.[0] === undefined ? null : { ...most[0], trials: most.length },
  };
}

/**
 * Identifies a divergence by its position, not its content, since the content may differ in every
 * trial.
 */
function sameDivergence({ side, kind, serverName, toolName, path }: Divergence): string {
  return JSON.stringify([side, kind, serverName, toolName, path]);
}

interface Variant {
  readonly model?: string;
  readonly provider?: string;
  readonly repetitions: number;
  readonly trialPlan?: unknown;
  readonly wasPlanned?: true;
}

/**
 * Repeats each case as often as it was recorded, but at most `most` times. A case that was not
 * recorded is planned once, so that the run reports the missing recording. A trial plan is not
 * followed again: the recorded number of trials is played.
 */
export function repeatAsRecorded<
  Case extends { readonly caseId: string; readonly variants: readonly Variant[] },
>(
  cases: readonly Case[],
  recorded: readonly TrialToMatch[],
  model: ReplayedSide,
  most = Infinity,
): Case[] {
  return cases.map((one) => ({
    ...one,
    variants: one.variants.map(({ trialPlan, ...variant }) => {
      const times = recordedRepetitions(
        { ...variantOf(variant), caseId: one.caseId },
        recorded,
        model,
      );
      const wasPlanned = trialPlan === undefined ? {} : { wasPlanned: true as const };
      return { ...variant, ...wasPlanned, repetitions: Math.max(1, Math.min(times, most)) };
    }),
  }));
}

export function recordingOfVariant<Recorded extends TrialToMatch>(
  caseId: string,
  variant: Omit<Variant, 'repetitions'>,
  repetition: number,
  recorded: readonly Recorded[],
  model: ReplayedSide,
): Recorded | undefined {
  return matchRecording({ ...variantOf(variant), caseId, repetition }, recorded, model);
}

export function recordingsOfVariant<Recorded extends TrialToMatch>(
  caseId: string,
  variant: Omit<Variant, 'repetitions'>,
  recorded: readonly Recorded[],
  model: ReplayedSide,
): readonly Recorded[] {
  return recordingsOf({ ...variantOf(variant), caseId }, recorded, model);
}

function variantOf({ model, provider }: Omit<Variant, 'repetitions'>) {
  return { model: model ?? null, provider: provider ?? null };
}
