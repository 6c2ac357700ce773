/**
 * The decision of the sample's newest run. A suite that was never run is run now, in the name of whoever it was made
 * for; a run that is still open is waited for, but not for long.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CaseTitles,
  type DecisionSummary,
  type IdKind,
  makeId,
  type TrialCalls,
} from '@proofmark/domain';
import { launchRun } from '../../actions/eval-runs/launch-run.ts';
import type { LaunchDependencies } from '../../actions/eval-runs/prepared-launch.ts';
import { hasEnded } from '../../actions/eval-runs/present-run.ts';
import { presentTrial } from '../../actions/eval-runs/present-trial.ts';
import { readSummaryPage } from '../../actions/eval-runs/read-decision-summary.ts';
import type { Database } from '../../storage/database/database.ts';
import { readRun, type StoredRun } from '../../storage/eval-runs/eval-runs.ts';
import { readTrials } from '../../storage/eval-runs/stored-trials.ts';
import { findSampleRun, type Sample } from '../../storage/eval-suites/sample.ts';

export interface SampleReport {
  /** Whether the run ended while it was watched; else it is one of an earlier start. */
  readonly isNew: boolean;
  readonly projectId: string;
  readonly runId: string;
  readonly summary: DecisionSummary;
  readonly caseTitles?: CaseTitles;
  /** How many of its case variants assert nothing, where that was counted. */
  readonly assertsNothing?: number;
  /** Of its trials, with the arguments that the summary leaves out. */
  readonly calls: ReadonlyMap<string, TrialCalls>;
}

export interface SampleDependencies extends Pick<LaunchDependencies, 'models' | 'limits'> {
  readonly database: Database;
  /** Whether anybody here works on a run. */
  readonly worker: boolean;
}

/** Nothing where the suite was deleted, and where no run has ended in time. */
export async function runSample(
  dependencies: SampleDependencies,
  sample: Sample,
  signal: AbortSignal,
): Promise<SampleReport | undefined> {
  const { projectId, suiteId } = sample;
  const newest = await dependencies.database.tenant([sample.organizationId], (sql) =>
    findSampleRun(sql, suiteId),
  );
  if (newest === undefined || (newest === null && !dependencies.worker)) return undefined;
  const runId =
    newest ?? (await launchRun({ ...dependencies, ...sample, actor, newId }, { suiteId })).runId;
  const ending = await waitForEnd(dependencies, sample, runId, signal);
  if (ending === undefined) return undefined;
  const page = { limit: shownTrials };
  const [{ text }, trials] = await dependencies.database.tenant([sample.organizationId], (sql) =>
    Promise.all([
      readSummaryPage(sql, { projectId, runId }, { page, cursorFor }),
      readTrials(sql, runId, page),
    ]),
  );
  const { caseTitles, assertsNothing } = ending.run;
  return {
    ...{ isNew: newest === null || ending.isSeen, projectId, runId },
    summary: JSON.parse(text) as DecisionSummary,
    calls: new Map(trials.items.map((trial) => [trial.id, presentTrial(trial)])),
    ...(caseTitles !== null && { caseTitles }),
    ...(assertsNothing !== null && { assertsNothing: assertsNothing.caseVariants }),
  };
}

const actor = { accountId: null, accountEmail: 'sample', callerKind: 'service' } as const;
const shownTrials = 200;
const waitedMs = 20_000;
const betweenLooksMs = 100;

async function waitForEnd(
  { database }: SampleDependencies,
  { organizationId, projectId }: Sample,
  runId: string,
  signal: AbortSignal,
): Promise<{ readonly run: StoredRun; readonly isSeen: boolean } | undefined> {
  for (let waited = 0; waited < waitedMs; waited += betweenLooksMs) {
    const run = await database.tenant([organizationId], (sql) => readRun(sql, projectId, runId));
    if (run === undefined) return undefined;
    if (hasEnded(run)) return { run, isSeen: waited > 0 };
    await sleep(betweenLooksMs, undefined, { signal });
  }
  return undefined;
}

/** Whoever wants to read on does so in the console, with cursors of their own. */
function cursorFor(): string {
  return '';
}

function newId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
