/** One trial of a run that plays an earlier one again, from what was recorded of that. */
import {
  authoredFacts,
  deriveChain,
  notRecordedMessage,
  type PlannedCase,
  type PlannedTrial,
  type ReplayState,
  type RunPlan,
  readIgnore,
  recordingOfVariant,
} from '@proofmark/domain';
import { OpenedRecordingOfTrial } from '../engine/recordings/opened-recording.ts';
import { replayedDependencies } from '../engine/recordings/replayed-dependencies.ts';
import { TrialReplay } from '../engine/recordings/trial-replay.ts';
import { runTrial } from '../engine/run-trial.ts';
import type { TrialDependencies } from '../engine/trial-dependencies.ts';
import type { TrialRecord } from '../engine/trial-record.ts';
import type { Database, Sql } from '../storage/database/database.ts';
import { openRecording } from '../storage/eval-runs/open-recording.ts';
import type { TrialToWrite } from '../storage/eval-runs/record-trials.ts';
import {
  listRecordedTrials,
  type RecordedTrialOfRun,
  readRecordingAt,
} from '../storage/eval-runs/recorded-trials.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import type { OpenRun } from './open-runs.ts';

/** What the trial is written with beside what every one is. */
export type ReplayedPart = Pick<TrialToWrite, 'divergence' | 'replayState'>;

interface PlaceOfReplay {
  readonly database: Database;
  readonly organizationId: string;
  readonly signal: AbortSignal;
}

export async function replayTrial(
  place: PlaceOfReplay,
  { plan, secrets }: Pick<OpenRun, 'plan' | 'secrets'>,
  replay: NonNullable<RunPlan['replay']>,
  trial: PlannedTrial,
  dependencies: TrialDependencies,
): Promise<{ readonly record: TrialRecord; readonly part: ReplayedPart }> {
  const planned = plan.cases[trial.caseIndex];
  const variant = planned?.variants[trial.variantIndex];
  if (planned === undefined || variant === undefined)
    throw new Error('The plan has no such trial.');
  const opened = await findOpened(place, plan, replay, planned, variant, trial.trialNumber);
  if (opened === undefined)
    return { record: unrecorded(planned), part: { replayState: 'notRecorded' } };
  const terms = {
    ...{ model: replay.model, servers: replay.servers, onDivergence: replay.onDivergence },
    ignore: readIgnore(plan.replayIgnore),
    asksModel: authoredFacts(planned).hasPrompt,
  };
  const played = new TrialReplay(opened, terms, plan.servers, () => secrets.forms);
  const { after: _, ...others } = dependencies;
  // What is not called for real leaves nothing to clean up.
  const own = replay.servers === 'recorded' ? others : dependencies;
  const named = replay.model === 'recorded' ? { ...own, modelOf: modelOfRecorded(own) } : own;
  const record = await runTrial(replayedDependencies(played, named), plan, trial, place.signal);
  const { divergence, isContinuedLive } = played;
  const replayState: ReplayState =
    divergence === undefined ? 'played' : isContinuedLive ? 'continuedLive' : 'diverged';
  const isRecorded = replay.model === 'recorded' && replayState === 'played';
  const trialMs = opened.durations?.trialMs;
  return {
    record: isRecorded && trialMs !== undefined ? { ...record, durationMs: trialMs } : record,
    part: { replayState, ...(divergence && { divergence }) },
  };
}

async function findOpened(
  place: PlaceOfReplay,
  plan: RunPlan,
  { runId, model }: NonNullable<RunPlan['replay']>,
  { caseId }: PlannedCase,
  variant: PlannedCase['variants'][number],
  repetition: number,
): Promise<OpenedRecordingOfTrial | undefined> {
  const ofCase = (await recordedOf(place, plan, runId)).get(caseId) ?? [];
  const found = recordingOfVariant(caseId, variant, repetition, ofCase, model);
  if (found === undefined) return undefined;
  const stored = await inTenant(place, (sql) => readRecordingAt(sql, runId, found.ordinal));
  const opened = stored && (await openRecording(stored));
  return opened && new OpenedRecordingOfTrial(opened.recording, opened.durations);
}

type RecordedByCase = ReadonlyMap<string, readonly RecordedTrialOfRun[]>;

/** Read once for all trials of a run that is open here. */
const recordedOfPlans = new WeakMap<RunPlan, Promise<RecordedByCase>>();

function recordedOf(place: PlaceOfReplay, plan: RunPlan, runId: string): Promise<RecordedByCase> {
  const known = recordedOfPlans.get(plan);
  if (known !== undefined) return known;
  const reading = inTenant(place, (sql) => listRecordedTrials(sql, runId)).then((trials) => {
    const byCase = new Map<string, RecordedTrialOfRun[]>();
    for (const trial of trials) {
      const others = byCase.get(trial.caseId);
      if (others === undefined) byCase.set(trial.caseId, [trial]);
      else others.push(trial);
    }
    return byCase;
  });
  recordedOfPlans.set(plan, reading);
  // Whoever comes after one that was stopped reads for itself.
  reading.catch(() => recordedOfPlans.delete(plan));
  return reading;
}

function inTenant<Result>(
  { database, organizationId, signal }: PlaceOfReplay,
  read: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return retryWhileDatabaseIsAway(() => database.tenant([organizationId], read), signal);
}

/** Nobody is asked, so that it need not be offered any more. */
function modelOfRecorded({ modelOf }: TrialDependencies): TrialDependencies['modelOf'] {
  return (variant) => {
    try {
      return modelOf(variant);
    } catch {
      const slash = variant.model.indexOf('/');
      const provider = variant.provider ?? (slash > 0 ? variant.model.slice(0, slash) : '');
      const isNamed = variant.model.startsWith(`${provider}/`);
      const name = isNamed ? variant.model.slice(provider.length + 1) : variant.model;
      return { model: { hosted: false, provider, name } };
    }
  };
}

function unrecorded(planned: PlannedCase): TrialRecord {
  const evidence = {
    authored: authoredFacts(planned),
    status: 'skipped' as const,
    diverged: true,
    tracePresent: false,
    executorEmitsSpans: true,
    ...{ spans: [], turns: [], assertions: [], toolErrors: [], renders: [] },
  };
  return {
    ...{ status: 'skipped', result: null, evaluatorError: false, startedAtMs: Date.now() },
    ...{ durationMs: 0, usage: null, tokensUsed: null, expectedToolCalls: [], actualToolCalls: [] },
    error: notRecordedMessage,
    ...{ scores: null, chain: deriveChain(evidence), evidence, warnings: [] },
    ...{ trace: { traceVersion: 1, messages: [] }, toolSurface: null, widgets: null },
  };
}
