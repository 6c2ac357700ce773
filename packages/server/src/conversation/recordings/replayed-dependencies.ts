import type { RunServers } from '../run-servers.ts';
import type { TrialDependencies } from '../trial-dependencies.ts';
import { comparedServers } from './compared-servers.ts';
import { modelOfRecorded } from './model-of-recorded.ts';
import { recordedModels } from './recorded-models.ts';
import { recordedScorers } from './recorded-scorers.ts';
import { recordedServers } from './recorded-servers.ts';
import { serversWithoutRedaction } from './servers-without-redaction.ts';
import type { TrialReplay } from './trial-replay.ts';

/** Returns the dependencies of a replayed trial. */
export function replayedDependencies(
  replay: TrialReplay,
  dependencies: TrialDependencies,
): TrialDependencies {
  const { servers, models, judgeModels = models, scorers } = dependencies;
  return {
    ...dependencies,
    ...(replay.terms.model === 'recorded' && { modelOf: modelOfRecorded(dependencies) }),
    hasMarks: replay.recorded.hasMarks,
    divergedBy: () => (replay.isContinuedLive ? undefined : replay.divergence?.message),
    models: recordedModels(replay, models, 'trial'),
    judgeModels: recordedModels(replay, judgeModels, 'judge'),
    scorers: recordedScorers(replay, scorers),
    servers: replayedServers(replay, servers),
  };
}

function replayedServers(replay: TrialReplay, servers: RunServers): RunServers {
  if (replay.terms.servers === 'recorded') return recordedServers(replay, servers);
  const { byPlace } = replay.terms;
  return byPlace ? serversWithoutRedaction(replay, servers) : comparedServers(replay, servers);
}
