import { type RunPlan, type SavedProvider, visitBounds } from '@proofmark/domain';
import { type PlayedTurn, playTurn, type TurnToPlay } from '../../conversation/play-turn.ts';
import type { RunServers } from '../../conversation/run-servers.ts';
import type { TrialDependencies } from '../../conversation/trial-dependencies.ts';
import type { TurnWatcher } from '../../conversation/turn-watcher.ts';
import type { TraceSecrets } from '../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import { type OpeningDependencies, openModels, openServers } from '../evals/index.ts';
import type { TurnDependencies } from './turn-dependencies.ts';
import { historyOf } from './turn-history.ts';
import type { EarlierTurn } from './turn-rows.ts';

export interface TurnToOpen
  extends Pick<TurnToPlay, 'mayOffer' | 'leftOut' | 'modelId' | 'text'>,
    Pick<RunPlan, 'client' | 'servers' | 'skills'>,
    Pick<TrialDependencies, 'skillTexts'> {
  readonly place: { readonly organizationId: string; readonly projectId: string };
  readonly providers: readonly SavedProvider[];
  readonly history: readonly EarlierTurn[];
  readonly secrets: TraceSecrets;
  /** Whether the servers' tools are listed a second time after a person approved a call. */
  readonly listsAgain: boolean;
  watch(servers: RunServers): TurnWatcher;
  /** Wraps the models so that every call is paid for. */
  models(models: ModelGateway): Pick<ModelGateway, 'generate'>;
}

export async function openAndPlayTurn(
  dependencies: Pick<TurnDependencies, 'patterns' | 'maxModelSteps'> & OpeningDependencies,
  turn: TurnToOpen,
  signal: AbortSignal,
): Promise<PlayedTurn> {
  const { client, servers, skills, skillTexts, secrets, providers, history, listsAgain } = turn;
  const opened = openModels(dependencies, { providers, keys: {}, secrets });
  const running = openServers(dependencies, turn.place, {
    servers,
    client,
    secrets,
    pinned: undefined,
    trials: 1,
    listsAgain,
  });
  const { serverIds = [], optionalServerIds = [] } = client.config;
  try {
    return await playTurn(
      {
        servers: running,
        skillTexts,
        patterns: dependencies.patterns,
        models: turn.models(opened.models),
        modelOf: opened.modelOf,
        now: () => Date.now(),
        elapsedMs: () => performance.now(),
      },
      {
        plan: { client, skills, servers, limits: { maxModelSteps: dependencies.maxModelSteps } },
        modelId: turn.modelId,
        text: turn.text,
        watcher: turn.watch(running),
        earlier: (nameOf) => historyOf(history, nameOf),
        isOptional: (id) => optionalServerIds.includes(id) && !serverIds.includes(id),
        mayOffer: (tool) => turn.mayOffer(tool),
        leftOut: (server) => turn.leftOut(server),
        turnMs: visitBounds.turnMs,
        wholeTurnMs: visitBounds.wholeTurnMs,
      },
      signal,
    );
  } finally {
    await Promise.all([opened.close(), running.close()]).catch(() => undefined);
  }
}
