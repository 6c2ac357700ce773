/**
 * Reports the results of the sample's simulated users. If the journey has no run, one is launched
 * in the name of the journey's owner. The wait for a running run is short.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lockLaunches } from '../../features/evals/store/launched-runs.ts';
import { findSampleJourneyRun, type Sample } from '../../features/evals/store/sample.ts';
import { prepareJourneyRun } from '../../features/swarms/operations/prepare-journey-run.ts';
import { writeJourneyRun } from '../../features/swarms/operations/write-journey-run.ts';
import { readJourneyRun } from '../../features/swarms/store/journey-runs.ts';
import { readJourney } from '../../features/swarms/store/journeys.ts';
import { findMinedResult } from '../../features/swarms/store/waves.ts';
import { newId, type SampleDependencies, sampleActor, sampleWait } from './sample-parts.ts';

export interface SampleSwarmReport {
  readonly runId: string;
  readonly sessions: number;
  readonly findings: number;
}

/** Returns undefined if the journey is archived, or if no run was mined within the wait. */
export async function runSampleJourney(
  dependencies: SampleDependencies,
  sample: Sample,
  signal: AbortSignal,
): Promise<SampleSwarmReport | undefined> {
  const { organizationId, projectId, journeyId } = sample;
  const { database } = dependencies;
  if (journeyId === undefined) return undefined;
  const runId = await runOf(dependencies, sample, journeyId);
  if (runId === undefined) return undefined;
  const { longestMs, betweenLooksMs } = sampleWait;
  for (let waited = 0; waited < longestMs; waited += betweenLooksMs) {
    const seen = await database.tenant([organizationId], async (sql) => {
      const run = await readJourneyRun(sql, projectId, runId);
      const mined = run && (await findMinedResult(sql, run));
      return mined && { runId, sessions: run.total, findings: mined.counted.length };
    });
    if (seen !== undefined) return seen;
    await sleep(betweenLooksMs, undefined, { signal });
  }
  return undefined;
}

/**
 * Launches a run if the journey has none. The launch is one transaction, so an earlier start that
 * was killed left either a whole run or none.
 */
function runOf(
  { database, models, limits, worker }: SampleDependencies,
  { organizationId, projectId, accountId }: Sample,
  journeyId: string,
): Promise<string | undefined> {
  return database.tenant([organizationId], async (sql) => {
    await lockLaunches(sql, organizationId);
    const newest = await findSampleJourneyRun(sql, journeyId);
    if (newest !== null) return newest;
    const journey = worker && (await readJourney(sql, projectId, journeyId, 'forShare'));
    if (!journey) return undefined;
    const place = {
      database,
      models,
      runLimits: limits,
      newId,
      stdioAddressOf: () => undefined,
      project: { organizationId, id: projectId },
    };
    const prepared = await prepareJourneyRun(sql, place, journey, undefined);
    const run = await writeJourneyRun(sql, place, prepared, {
      waveId: undefined,
      idempotencyKey: null,
      requestHash: null,
      source: 'api',
      isSample: true,
      requestedBy: accountId,
      actor: sampleActor,
    });
    return run.id;
  });
}
