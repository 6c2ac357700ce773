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

/** The connections of the service to servers and models, none of which needs the database. */
export interface WaysOut {
  readonly mcp: McpGateway;
  readonly models: ModelGateway;
  /** Checks whether the service's own egress works; called if a server seems unreachable. */
  verifyEgress(): Promise<boolean>;
  /** The maximum number of concurrent calls to one server. */
  readonly callsPerServer: number;
  /**
   * Limits the calls to servers and the requests to providers across all processes (default: only
   * in this process).
   */
  readonly places?: Places;
}

export interface OpenModels extends Pick<TrialDependencies, 'modelOf'> {
  /** The operator's models and those of the providers that the organization had at the launch. */
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
        throw new ModelFailure(
          'REQUEST_REFUSED',
          `This installation no longer offers the model ${variant.model}.`,
          0,
        );
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
  readonly secrets: TraceSecrets;
  readonly sharesSessions?: boolean;
  /** If true, no model is available for sampling requests of servers. */
  readonly hasNoModel?: boolean;
  /** Whether a server's tools may be listed again while trials are played. */
  readonly listsAgain?: boolean;
  readonly trials: number;
}

export function openServers(
  dependencies: OpeningDependencies,
  place: PlaceOfServers,
  { client, pinned, ...wanted }: ServersToOpen,
): RunServers {
  return openServersBy(dependencies, place.organizationId, wanted, (id, signal) => {
    const pinnedServer = pinned?.find(({ server }) => server.id === id);
    // The server has not been called yet, so a retry after a database outage cannot repeat a call.
    return retryWhileDatabaseIsAway(
      () => findTarget(dependencies, place, client, id, pinnedServer),
      signal,
    );
  });
}

/** Returns the target of one server, for callers that open no session with it. */
export function openTarget(
  dependencies: OpeningDependencies,
  place: PlaceOfServers,
  {
    client,
    pinned,
    serverId,
  }: Pick<ServersToOpen, 'client' | 'pinned'> & { readonly serverId: string },
): Promise<McpTarget> {
  const pinnedServer = pinned?.find(({ server }) => server.id === serverId);
  return findTarget(dependencies, place, client, serverId, pinnedServer);
}

/**
 * Opens servers like `openServers`. `targetOfServer` supplies the connection settings, so no
 * database is needed.
 */
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

/** Removes the sampling capability, because no model is available here to serve such requests. */
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

/** OAuth tokens change during a run, so each token is noted as a secret when it is used. */
export function noteSecrets(secrets: TraceSecrets, target: McpTarget): McpTarget {
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
 * Uses the settings of the client in the plan or, without a saved client, those of the server at
 * the launch. Visitors and the playground have no pinned servers and use the servers as they are
 * saved now.
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
