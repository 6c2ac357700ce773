import type { TrialDependencies } from '../trial-dependencies.ts';
import { comparedServers } from './compared-servers.ts';
import { recordedModels } from './recorded-models.ts';
import { recordedServers } from './recorded-servers.ts';
import type { TrialReplay } from './trial-replay.ts';

/** What a trial is played with where it is replayed. */
export function replayedDependencies(
  replay: TrialReplay,
  dependencies: TrialDependencies,
): TrialDependencies {
  const { servers, models, judgeModels = models } = dependencies;
  const isLive = replay.terms.servers === 'live';
  return {
    ...dependencies,
    hasMarks: replay.recorded.hasMarks,
    divergedBy: () => (replay.isContinuedLive ? undefined : replay.divergence?.message),
    models: recordedModels(replay, models, 'trial'),
    judgeModels: recordedModels(replay, judgeModels, 'judge'),
    servers: isLive ? comparedServers(replay, servers) : recordedServers(replay, servers),
  };
}
