/**
 * Returns the decision of the sample's newest run. If the suite has no run, one is launched in the
 * name of the sample's owner. The wait for a running run is short.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseTitles, DecisionSummary } from '@proofmark/domain';
import type { TrialCalls } from '@proofmark/report';
import { launchRun } from '../../features/evals/operations/runs/launch-run.ts';
import { hasEnded } from '../../features/evals/operations/runs/present-run.ts';
import { presentTrial } from '../../features/evals/operations/runs/present-trial.ts';
import { readSummaryPage } from '../../features/evals/operations/runs/read-decision-summary.ts';
import { readRun, type StoredRun } from '../../features/evals/store/eval-runs.ts';
import { findSampleRun, type Sample } from '../../features/evals/store/sample.ts';
import { readTrials } from '../../features/evals/store/stored-trials.ts';
import type { SampleSwarmReport } from './run-sample-journey.ts';
import { newId, type SampleDependencies, sampleActor, sampleWait } from './sample-parts.ts';

export interface SampleReport {
  /** Whether the run ended during this start's wait. False for a run of an earlier start. */
  readonly isNew: boolean;
  readonly projectId: string;
  readonly runId: string;
  readonly summary: DecisionSummary;
  readonly caseTitles?: CaseTitles;
  /**
   * The number of the run's case variants (a case on one model) without assertions. Absent if it
   * was not counted.
   */
  readonly assertsNothing?: number;
  /** The tool calls of the run's trials, with the arguments that the summary leaves out. */
  readonly calls: ReadonlyMap<string, TrialCalls>;
  /** The results of simulated users. Absent if they were not ready in time. */
  readonly swarm?: SampleSwarmReport;
}

/** Returns undefined if the suite was deleted, or if no run ended within the wait. */
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
    newest ??
    (
      await launchRun(
        { ...dependencies, ...sample, actor: sampleActor, newId, isSample: true },
        { suiteId },
      )
    ).runId;
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
    isNew: newest === null || ending.isSeen,
    projectId,
    runId,
    summary: JSON.parse(text) as DecisionSummary,
    calls: new Map(trials.items.map((trial) => [trial.id, presentTrial(trial)])),
    ...(caseTitles !== null && { caseTitles }),
    ...(assertsNothing !== null && { assertsNothing: assertsNothing.caseVariants }),
  };
}

const shownTrials = 200;

async function waitForEnd(
  { database }: SampleDependencies,
  { organizationId, projectId }: Sample,
  runId: string,
  signal: AbortSignal,
): Promise<{ readonly run: StoredRun; readonly isSeen: boolean } | undefined> {
  const { longestMs, betweenLooksMs } = sampleWait;
  for (let waited = 0; waited < longestMs; waited += betweenLooksMs) {
    const run = await database.tenant([organizationId], (sql) => readRun(sql, projectId, runId));
    if (run === undefined) return undefined;
    if (hasEnded(run)) return { run, isSeen: waited > 0 };
    await sleep(betweenLooksMs, undefined, { signal });
  }
  return undefined;
}

/** No cursor is needed, because only the first page is read here. */
function cursorFor(): string {
  return '';
}
