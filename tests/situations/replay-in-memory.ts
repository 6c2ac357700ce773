/**
 * Replays a row from its recording in memory, as `proofmark test --replay` does. The results must
 * equal those of a replay by a service: trials with their stages and scores, and the run with its
 * decision.
 */

import { asJson } from '../../packages/server/src/features/evals/in-memory/kept-trial.ts';
import { replayInMemory } from '../../packages/server/src/features/evals/in-memory/launch-in-memory.ts';
import type { RecordedTrial } from '../../packages/server/src/features/evals/in-memory/recorded-trials.ts';
import { contextOfReplayed } from '../../packages/server/src/features/evals/operations/runs/context-of-replayed.ts';
import { contextOf } from '../../packages/server/src/features/evals/operations/runs/launch-context.ts';
import { overlayOfLaunch } from '../../packages/server/src/features/evals/operations/runs/overlay-of-launch.ts';
import { listedServers } from '../../packages/server/src/features/evals/operations/suites/warn-of-suite.ts';
import { findSuiteToRun } from '../../packages/server/src/features/evals/store/eval-suites.ts';
import {
  openRecordingContent,
  readDurations,
} from '../../packages/server/src/features/evals/store/open-recording.ts';
import {
  listRecordedTrials,
  readRecordingAt,
} from '../../packages/server/src/features/evals/store/recorded-trials.ts';
import { linearPatterns } from '../../packages/server/src/outside/patterns/linear-patterns.ts';
import type { Sql } from '../../packages/server/src/platform/database/database.ts';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import { differences } from './differences.ts';
import type { Answer, RunSituation, SeenRun, SituationFixture } from './situation.ts';

export async function inMemoryProblems(
  row: RunSituation,
  seen: SeenRun,
  again: SeenRun,
  { service, tenant, models }: SituationFixture,
): Promise<string[]> {
  const { suiteId } = seen.run;
  const { runId } = seen;
  const { projectId, organizationId } = tenant;
  const terms = { runId, model: 'recorded', servers: 'recorded', onDivergence: 'stop' } as const;
  const request = { suiteId, ...row.launch, replay: terms } as Answer;
  const toReplay = await service.database.tenant([organizationId], async (sql) => {
    const suite = await findSuiteToRun(sql, projectId, suiteId);
    if (suite === undefined) throw new Error('The suite is gone.');
    const choice = await contextOfReplayed(sql, projectId, request);
    const trials = await recordingsOf(sql, runId);
    const context = await contextOf(sql, projectId, { ...request, ...choice }, suite);
    return {
      suite,
      context,
      request: { ...request, ...choice },
      recorded: { trials, toPlay: trials },
      listed: await listedServers(sql, projectId, context.servers),
      overlaid: await overlayOfLaunch(sql, projectId, context.servers, request.overlay),
      projectId,
      runNumber: 1,
    };
  });
  // A suite file cannot contain skills, so a run with skills cannot be replayed in memory.
  if (toReplay.context.skills.length > 0) return [];
  const limits = { ...defaultRunLimits, ...row.limits };
  const run = replayInMemory(toReplay, { models, patterns: linearPatterns, limits });
  await run.settle();
  const trials = run.presentTrials({}, 1000, 0).map(({ item }) => asJson(item));
  return [
    ...differences('trial', again.trials.map(withoutOwnTime), trials.map(withoutOwnTime)),
    ...differences('run', again.run, asJson(run.present())),
  ].map((problem) => `In memory: ${problem}`);
}

/**
 * A diverged trial has a new duration, which is removed. Other trials have the recorded duration.
 */
function withoutOwnTime(trial: Answer): Answer {
  const { durationMs: _, ...others } = trial;
  return trial.divergence === undefined ? trial : others;
}

async function recordingsOf(sql: Sql, runId: string): Promise<RecordedTrial[]> {
  const trials: RecordedTrial[] = [];
  for (const trial of await listRecordedTrials(sql, runId)) {
    const stored = await readRecordingAt(sql, runId, trial.ordinal, true);
    const opened = stored && (await openRecordingContent(stored.content));
    if (opened === undefined) continue;
    const durations = readDurations(stored?.durations ?? null);
    trials.push({ ...trial, recording: opened.recording, ...(durations && { durations }) });
  }
  return trials;
}
