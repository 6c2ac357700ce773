import { firstDifference, markText, type ScorerExchange } from '@proofmark/domain';
import type { OwnScorers } from '../../outside/scorers/own-scorers.ts';
import type { ScorerOutcome } from '../../outside/scorers/scorer-gateway.ts';
import type { RunServers, TrialServers } from '../run-servers.ts';
import type { TrialDependencies } from '../trial-dependencies.ts';
import { comparedServers } from './compared-servers.ts';
import type { PlacedCall } from './opened-recording.ts';
import { questionOfScorer } from './question-of-scorer.ts';
import { recordedModels } from './recorded-models.ts';
import { recordedServers } from './recorded-servers.ts';
import type { TrialReplay } from './trial-replay.ts';

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

/**
 * A recorded model may have been removed since. That is allowed, because no request is sent to it.
 */
function modelOfRecorded({
  modelOf,
}: Pick<TrialDependencies, 'modelOf'>): TrialDependencies['modelOf'] {
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

/**
 * Live servers in a replay with a recorded model. A call with a redacted value cannot be sent to a
 * live server, so it is a divergence.
 */
function serversWithoutRedaction(replay: TrialReplay, live: RunServers): RunServers {
  return {
    forTrial: async (signal, time) => unmarked(replay, await live.forTrial(signal, time)),
    listAgain: (...asked) => live.listAgain(...asked),
    close: () => live.close(),
  };
}

function unmarked(replay: TrialReplay, own: TrialServers): TrialServers {
  return {
    open: (...asked) => own.open(...asked),
    async callTool(serverId, toolName, input, signal, onWaiting, _mayRepeat, onTask) {
      if (replay.recorded.hasMarks && JSON.stringify(input).includes(markText)) {
        const serverName = replay.serverNames.get(serverId) ?? serverId;
        const place = { side: 'server', kind: 'call', serverName, toolName } as const;
        replay.diverge(place, { path: '', before: input, after: undefined });
      }
      return own.callTool(serverId, toolName, input, signal, onWaiting, undefined, onTask);
    },
    ask: (...asked) => own.ask(...asked),
    heldBack: () => own.heldBack(),
    close: () => own.close(),
  };
}

/**
 * Scorers that answer from a recording if the question is the same. A different question is sent
 * live, because scorers grade the trial and are not replayed.
 */
function recordedScorers(replay: TrialReplay, live: OwnScorers | undefined): OwnScorers {
  return {
    async ask(scorer, conversation, signal) {
      const asked = questionOfScorer(scorer.url, conversation, (value) => replay.redact(value));
      const found = asked && findAnswer(replay, asked);
      if (found === undefined) return live?.ask(scorer, conversation, signal) ?? nobody;
      replay.recorded.take(found.place);
      return replay.recorded.withMarksDescribed(found.exchange.answer) as ScorerOutcome;
    },
  };
}

const nobody: ScorerOutcome = {
  problem: 'The scorer was not called: this service cannot call scorers.',
};

function findAnswer(
  { recorded }: TrialReplay,
  { hash, request }: Pick<ScorerExchange, 'hash' | 'request'>,
): PlacedCall<ScorerExchange> | undefined {
  const left = recorded.scorersLeft();
  const same = left.find(({ exchange }) => exchange.hash === hash);
  if (same !== undefined || request === undefined) return same;
  return left.find(({ exchange }) => {
    const kept = exchange.request;
    return kept !== undefined && firstDifference(kept, request) === undefined;
  });
}
