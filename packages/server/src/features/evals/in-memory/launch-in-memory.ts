import { asksOwnScorer, type ListedServers, type RunPlan } from '@proofmark/domain';
import type { OfferedModels } from '../../../outside/model/model-gateway.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { makeNewId } from '../../../platform/operations/make-new-id.ts';
import type { RunLimits } from '../../../platform/spending/run-limits.ts';
import type { PinnedServer } from '../../servers/index.ts';
import type { LaunchContext } from '../operations/runs/launch-context.ts';
import { notRecorded } from '../operations/runs/not-recorded.ts';
import {
  checkLaunchedModels,
  chooseCases,
  type LaunchRequest,
  type PlannedLaunch,
  planLaunch,
  priceLaunch,
  type SuiteOfLaunch,
} from '../operations/runs/plan-launch.ts';
import type { PreparedLaunch } from '../operations/runs/prepared-launch.ts';
import { withoutSecret } from '../operations/runs/refuse-scorers-without-secret.ts';
import type { ModelKeys } from '../store/run-plans.ts';
import { InMemoryRun, type TrialPlayer } from './in-memory-run.ts';
import type { LiveRun } from './play-live.ts';
import { playerOfRecordings, type ReplayDependencies } from './play-recordings.ts';
import type { PlacedTrials } from './recorded-trials.ts';

export interface InMemoryDependencies extends Omit<ReplayDependencies, 'offer' | 'models'> {
  readonly models: Pick<OfferedModels, 'offer' | 'priceOf' | 'isPaidByOperator'> &
    ReplayDependencies['models'];
  readonly limits: RunLimits;
  /** Absent in a replay, which does not load the code that plays trials against servers. */
  readonly live?: (run: LiveRun) => TrialPlayer;
}

interface RunToLaunch {
  readonly suite: SuiteOfLaunch;
  readonly context: LaunchContext;
  readonly listed: ListedServers;
  readonly overlaid?: Pick<RunPlan, 'overlay' | 'overlayHash'>;
  readonly projectId: string;
  readonly runNumber: number;
}

export interface RunToReplay extends RunToLaunch {
  readonly request: Omit<LaunchRequest, 'replay'> & {
    readonly replay: NonNullable<LaunchRequest['replay']>;
  };
  readonly recorded: Pick<PlacedTrials, 'toPlay' | 'trials'>;
}

export function replayInMemory(
  asked: RunToReplay,
  dependencies: InMemoryDependencies,
): InMemoryRun {
  const { suite, context, request, recorded } = asked;
  const { models, limits, live: _, ...played } = dependencies;
  const chosen = chooseCases(suite, request, context);
  if (recorded.trials.length === 0) refuse(notRecorded('This run has no recorded trials.'));
  const replay = { terms: request.replay, recorded: recorded.toPlay };
  const { run } = settled(planLaunch(chosen, replay, limits), asked, dependencies);
  run.begin(
    playerOfRecordings(run.plan, recorded.trials, { ...played, models, offer: models.offer }),
  );
  return run;
}

export interface RunToPlay extends RunToLaunch {
  readonly request: Omit<LaunchRequest, 'replay'>;
  readonly pinned: readonly PinnedServer[];
}

export function playInMemory(asked: RunToPlay, dependencies: InMemoryDependencies): InMemoryRun {
  const { live } = dependencies;
  if (live === undefined)
    throw new Error('Internal fault: this command cannot play a run against servers.');
  const { run, keys } = settled(plannedToPlay(asked, dependencies), asked, dependencies);
  run.begin(live({ plan: run.plan, keys, pinned: asked.pinned }));
  return run;
}

export function planInMemory(asked: RunToPlay, dependencies: InMemoryDependencies): PreparedLaunch {
  return priced(plannedToPlay(asked, dependencies), asked, dependencies);
}

function plannedToPlay(
  { suite, context, request }: RunToPlay,
  { limits }: InMemoryDependencies,
): PlannedLaunch {
  const planned = planLaunch(chooseCases(suite, request, context), undefined, limits);
  // An in-memory project has no secret with which requests to own scorers are signed. So own
  // scorers cannot be called.
  if (planned.plan.cases.some(asksOwnScorer)) refuse(withoutSecret);
  return planned;
}

function priced(
  planned: PlannedLaunch,
  { listed, overlaid }: RunToLaunch,
  { models, limits }: InMemoryDependencies,
): PreparedLaunch {
  return priceLaunch(checkLaunchedModels(planned, models), {
    models,
    saved: [],
    servers: listed,
    noWidgets: limits.noWidgets,
    ...overlaid,
  });
}

function settled(
  planned: PlannedLaunch,
  asked: RunToLaunch,
  dependencies: InMemoryDependencies,
): { readonly run: InMemoryRun; readonly keys: ModelKeys } {
  const { projectId, runNumber } = asked;
  const { limits } = dependencies;
  const launch = priced(planned, asked, dependencies);
  const ids = { id: makeNewId('evalRun'), projectId, runNumber };
  return { run: new InMemoryRun(launch, ids, limits, makeNewId), keys: launch.keys };
}
