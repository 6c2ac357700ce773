/** Plans a run by the rules of every launch, and begins to play it. */
import { randomBytes } from 'node:crypto';
import { type IdKind, type ListedServers, makeId, type RunPlan } from '@proofmark/domain';
import type { OfferedModels } from '../../../outside/model/model-gateway.ts';
import { refuse } from '../../../platform/operations/action.ts';
import type { RunLimits } from '../../../platform/spending/run-limits.ts';
import type { LaunchContext } from '../operations/runs/launch-context.ts';
import { notRecorded } from '../operations/runs/not-recorded.ts';
import {
  checkLaunchedModels,
  chooseCases,
  type LaunchRequest,
  planLaunch,
  type SuiteOfLaunch,
  settleLaunch,
} from '../operations/runs/plan-launch.ts';
import { InMemoryRun } from './in-memory-run.ts';
import { playerOfRecordings, type ReplayDependencies } from './play-recordings.ts';
import type { PlacedTrials } from './recorded-trials.ts';

export interface InMemoryDependencies extends Omit<ReplayDependencies, 'offer'> {
  readonly models: Pick<OfferedModels, 'offer' | 'priceOf' | 'isPaidByOperator'> &
    ReplayDependencies['models'];
  readonly limits: RunLimits;
}

export interface RunToReplay {
  readonly suite: SuiteOfLaunch;
  readonly context: LaunchContext;
  readonly request: Omit<LaunchRequest, 'replay'> & {
    readonly replay: NonNullable<LaunchRequest['replay']>;
  };
  readonly recorded: Pick<PlacedTrials, 'toPlay' | 'trials'>;
  /** What its servers were last seen to list. */
  readonly listed: ListedServers;
  readonly overlaid?: Pick<RunPlan, 'overlay' | 'overlayHash'>;
  readonly projectId: string;
  readonly runNumber: number;
}

export function replayInMemory(
  { suite, context, request, recorded, listed, overlaid, projectId, runNumber }: RunToReplay,
  { models, limits, ...played }: InMemoryDependencies,
): InMemoryRun {
  const chosen = chooseCases(suite, request, context);
  if (recorded.trials.length === 0) refuse(notRecorded('Nothing of this run is kept.'));
  const planned = planLaunch(chosen, { terms: request.replay, recorded: recorded.toPlay }, limits);
  const launch = settleLaunch(checkLaunchedModels(planned, models), {
    models,
    saved: [],
    servers: listed,
    noWidgets: limits.noWidgets,
    ...overlaid,
  });
  const ids = { id: makeNewId('evalRun'), projectId, runNumber };
  const run = new InMemoryRun(launch, ids, limits, makeNewId);
  run.begin(
    playerOfRecordings(run.plan, recorded.trials, { ...played, models, offer: models.offer }),
  );
  return run;
}

export function makeNewId(kind: IdKind): string {
  return makeId(kind, Date.now(), randomBytes(10));
}
