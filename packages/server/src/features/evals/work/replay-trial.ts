import {
  type PlannedCase,
  type PlannedTrial,
  type RunPlan,
  recordingOfVariant,
} from '@proofmark/domain';
import { OpenedRecordingOfTrial } from '../../../conversation/recordings/opened-recording.ts';
import { unrecordedTrial } from '../../../conversation/recordings/unrecorded-trial.ts';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  type OpenedContent,
  openRecordingContent,
  readDurations,
} from '../store/open-recording.ts';
import {
  listRecordedTrials,
  type RecordedTrialOfRun,
  readRecordingAt,
} from '../store/recorded-trials.ts';
import type { OpenRun } from './open-runs.ts';
import { playRecorded, type ReplayedTrial } from './play-recorded.ts';

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
): Promise<ReplayedTrial> {
  const planned = plan.cases[trial.caseIndex];
  const variant = planned?.variants[trial.variantIndex];
  if (planned === undefined || variant === undefined)
    throw new Error('Internal fault: the plan of the run does not contain this trial.');
  const opened = await findOpened(place, plan, replay, planned, variant, trial.trialNumber);
  if (opened === undefined)
    return { record: unrecordedTrial(planned), part: { replayState: 'notRecorded' } };
  return playRecorded({ plan, secrets }, replay, trial, opened, dependencies, place.signal);
}

async function findOpened(
  place: PlaceOfReplay,
  plan: RunPlan,
  { runId, model }: NonNullable<RunPlan['replay']>,
  { caseId }: PlannedCase,
  variant: PlannedCase['variants'][number],
  repetition: number,
): Promise<OpenedRecordingOfTrial | undefined> {
  const { byCase, contents } = recordedOf(place, plan, runId);
  const ofCase = (await byCase).get(caseId) ?? [];
  const found = recordingOfVariant(caseId, variant, repetition, ofCase, model);
  if (found === undefined) return undefined;
  const { ordinal, hash } = found;
  const known = contents.get(hash);
  const stored = await inTenant(place, (sql) => readRecordingAt(sql, runId, ordinal, !known));
  if (stored === undefined) return undefined;
  const opened = known ?? (await openRecordingContent(stored.content));
  if (opened === undefined) return undefined;
  contents.keep(hash, opened);
  const { recording, mayHaveMarks } = opened;
  return new OpenedRecordingOfTrial(recording, readDurations(stored.durations), mayHaveMarks);
}

interface RecordedRunOpen {
  readonly byCase: Promise<ReadonlyMap<string, readonly RecordedTrialOfRun[]>>;
  readonly contents: LastContents;
}

/**
 * Caches the last used contents, which equal repetitions share. Few are enough, because the trials
 * of one case follow each other, and each content may be large.
 */
class LastContents {
  readonly #opened = new Map<string, OpenedContent>();

  get(hash: string): OpenedContent | undefined {
    return this.#opened.get(hash);
  }

  keep(hash: string, opened: OpenedContent): void {
    // The content is inserted again, so that the most recently used content is last.
    this.#opened.delete(hash);
    this.#opened.set(hash, opened);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > mostContents && oldest !== undefined) this.#opened.delete(oldest);
  }
}

const mostContents = 16;

const recordedOfPlans = new WeakMap<RunPlan, RecordedRunOpen>();

function recordedOf(place: PlaceOfReplay, plan: RunPlan, runId: string): RecordedRunOpen {
  const known = recordedOfPlans.get(plan);
  if (known !== undefined) return known;
  const byCase = inTenant(place, (sql) => listRecordedTrials(sql, runId)).then((trials) => {
    const found = new Map<string, RecordedTrialOfRun[]>();
    for (const trial of trials) {
      const others = found.get(trial.caseId);
      if (others === undefined) found.set(trial.caseId, [trial]);
      else others.push(trial);
    }
    return found;
  });
  const opened = { byCase, contents: new LastContents() };
  recordedOfPlans.set(plan, opened);
  // Forgets a read that failed or was stopped, so that the next trial reads again.
  byCase.catch(() => recordedOfPlans.delete(plan));
  return opened;
}

function inTenant<Result>(
  { database, organizationId, signal }: PlaceOfReplay,
  read: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return retryWhileDatabaseIsAway(() => database.tenant([organizationId], read), signal);
}
