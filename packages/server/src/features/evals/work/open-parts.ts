/** What a run or a visit needs opened, whatever it plays: its models with the keys it has, and its servers as they were. */
import {
  chooseModel,
  notFound,
  type Places,
  Refused,
  type RunPlan,
  type SavedProvider,
} from '@proofmark/domain';
import { createRunServers } from '../../../conversation/create-run-servers.ts';
import type { RunServers } from '../../../conversation/run-servers.ts';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { McpGateway } from '../../../outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../../../outside/mcp/mcp-target.ts';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  findServerToCall,
  type PinnedServer,
  type TargetDependencies,
  targetOf,
} from '../../servers/index.ts';
import type { ModelKeys } from '../store/run-plans.ts';

export interface OpeningDependencies extends Omit<TargetDependencies, 'mcp'>, WaysOut {}

/** What is opened without a database. */
export interface WaysOut {
  readonly mcp: McpGateway;
  readonly models: ModelGateway;
  /** Whether our own egress works: asked when a server seems to be away. */
  verifyEgress(): Promise<boolean>;
  /** Calls of one server at a time. */
  readonly callsPerServer: number;
  /** Where calls of servers and requests to providers are counted over all processes; left out, over this one. */
  readonly places?: Places;
}

export interface OpenModels extends Pick<TrialDependencies, 'modelOf'> {
  /** With those of the organization, as they were at the launch. */
  readonly models: ModelGateway;
  close(): Promise<void>;
}

export function openModels(
  dependencies: Pick<WaysOut, 'models' | 'places'>,
  {
    providers,
    keys,
    secrets,
  }: {
    readonly providers: readonly SavedProvider[];
    readonly keys: ModelKeys;
    readonly secrets: TraceSecrets;
  },
): OpenModels {
  for (const key of Object.values(keys)) secrets.add(key);
  for (const { apiKey } of providers) if (apiKey !== null) secrets.add(apiKey);
  dependencies.models.noteKeys?.((key) => secrets.add(key));
  const own = providers.length > 0 ? dependencies.models.including(providers) : undefined;
  const models = withPlaces(own ?? dependencies.models, dependencies.places);
  const keyed = Object.keys(keys);
  return {
    models,
    modelOf(variant) {
      const chosen = chooseModel(variant, models.offer, keyed);
      if ('refusal' in chosen) {
        throw new ModelFailure('REQUEST_REFUSED', 'This model is not offered here any more.', 0);
      }
      const apiKey = chosen.hosted ? undefined : keys[chosen.provider];
      return { model: chosen, ...(apiKey !== undefined && { apiKey }) };
    },
    async close() {
      await own?.close();
    },
  };
}

interface PlaceOfServers {
  readonly organizationId: string;
  readonly projectId: string;
}

export interface ServersToOpen extends ServersOfPlan {
  readonly client: RunPlan['client'];
  readonly pinned: readonly PinnedServer[] | undefined;
}

export interface ServersOfPlan {
  readonly servers: RunPlan['servers'];
  /** Takes what is sent to them. */
  readonly secrets: TraceSecrets;
  readonly sharesSessions?: boolean;
  /** No model is there to answer what a server would have a client ask one. */
  readonly hasNoModel?: boolean;
  /** Whether one of them may be listed again while it is played. */
  readonly listsAgain?: boolean;
  /** How many will be played on them. */
  readonly trials: number;
}

export function openServers(
  dependencies: OpeningDependencies,
  place: PlaceOfServers,
  { client, pinned, ...wanted }: ServersToOpen,
): RunServers {
  return openServersBy(dependencies, place.organizationId, wanted, (id, signal) => {
    const pinnedServer = pinned?.find(({ server }) => server.id === id);
    // Nothing was asked of the server yet, so waiting for the database repeats nothing.
    return retryWhileDatabaseIsAway(
      () => findTarget(dependencies, place, client, id, pinnedServer),
      signal,
    );
  });
}

/** The same, wherever it stands how they are reached. */
export function openServersBy(
  dependencies: Omit<WaysOut, 'models'>,
  organizationId: string,
  { servers, secrets, trials, hasNoModel = false, ...how }: ServersOfPlan,
  targetOfServer: (serverId: string, signal: AbortSignal) => Promise<McpTarget>,
): RunServers {
  return createRunServers({
    mcp: dependencies.mcp,
    organizationId,
    trials,
    ...how,
    targets: servers.map(({ id, name }) => ({
      id,
      name,
      target: async (signal) => {
        const target = await targetOfServer(id, signal);
        return noteSecrets(secrets, hasNoModel ? withoutSampling(target) : target);
      },
    })),
    callsPerServer: dependencies.callsPerServer,
    ...(dependencies.places && { places: dependencies.places }),
    verifyEgress: () => dependencies.verifyEgress(),
    elapsedMs: () => performance.now(),
  });
}

/** What we cannot do is not declared. */
function withoutSampling(target: McpTarget): McpTarget {
  const { sampling: _, ...clientCapabilities } = target.clientCapabilities ?? { elicitation: {} };
  return { ...target, clientCapabilities, identity: `${target.identity} without a model` };
}

function withPlaces(models: ModelGateway, places: Places | undefined): ModelGateway {
  if (places === undefined) return models;
  return {
    ...models,
    generate: (model, request, options) => models.generate(model, request, { ...options, places }),
  };
}

/** Tokens are noted when they are sent, since they change. */
function noteSecrets(secrets: TraceSecrets, target: McpTarget): McpTarget {
  secrets.addTarget(target);
  const { tokens } = target;
  if (tokens === undefined) return target;
  const noted = async (asked: Promise<string | undefined>) => {
    const token = await asked;
    if (token !== undefined) secrets.add(token);
    return token;
  };
  return {
    ...target,
    tokens: {
      current: () => noted(tokens.current()),
      after: (refused) => noted(tokens.after(refused)),
    },
  };
}

/**
 * As the client of the plan connects; where no saved client was chosen, as the server was saved when the run was
 * launched. A run from before servers were pinned speaks to the server as it is saved now.
 */
async function findTarget(
  dependencies: OpeningDependencies,
  { organizationId, projectId }: PlaceOfServers,
  client: ServersToOpen['client'],
  serverId: string,
  pinned: PinnedServer | undefined,
): Promise<McpTarget> {
  const { database } = dependencies;
  const found =
    pinned ??
    (await database.tenant([organizationId], (sql) =>
      findServerToCall(sql, database.vault, projectId, serverId),
    ));
  if (found === undefined) throw new Refused({ ...notFound, message: 'The server was deleted.' });
  return targetOf(dependencies, found, client.id === undefined ? undefined : client);
}
