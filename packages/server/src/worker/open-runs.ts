/**
 * The runs this process works on. Neither their plan nor how their servers and models are spoken to ever changes, so all
 * of it is read once. When the last user of a run leaves and none comes back, everything of it is ended and forgotten:
 * sessions that its trials share, processes that were begun ahead, and model keys above all.
 */
import {
  chooseModel,
  notFound,
  type Places,
  planTrials,
  Refused,
  type RunPlan,
} from '@proofmark/domain';
import { targetOf } from '../actions/servers/target-of.ts';
import { createRunServers } from '../engine/create-run-servers.ts';
import type { TrialDependencies } from '../engine/trial-dependencies.ts';
import type { McpTarget } from '../mcp/mcp-target.ts';
import { TraceSecrets } from '../mcp/trace-secrets.ts';
import { ModelFailure } from '../model/model-failure.ts';
import type { ModelGateway } from '../model/model-gateway.ts';
import { findSkillTexts } from '../storage/environments/skills.ts';
import { openPinned, type PinnedServer } from '../storage/eval-runs/pinned-servers.ts';
import type { PlaceOfRun } from '../storage/eval-runs/place-of-run.ts';
import { findRunPlan, openModelKeys, openPinnedProviders } from '../storage/eval-runs/run-plans.ts';
import { listProviders } from '../storage/models/model-providers.ts';
import { findServerToCall } from '../storage/servers/servers.ts';
import { retryWhileDatabaseIsAway } from '../work/retry-while-database-is-away.ts';
import { TrialWriter } from './trial-writer.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

export interface OpenRun {
  readonly plan: RunPlan;
  readonly dependencies: TrialDependencies;
  /** With those of the organization, as they were at the launch. */
  readonly models: ModelGateway;
  readonly writer: TrialWriter;
  /** What was sent to its servers and models, and is not kept. */
  readonly secrets: TraceSecrets;
  close(): Promise<void>;
}

interface Entry {
  readonly run: Promise<OpenRun>;
  users: number;
  leaving: NodeJS.Timeout | undefined;
}

interface RunDependencies extends WorkerDependencies {
  /** Calls of servers and requests to providers, counted over all processes. */
  readonly places: Places;
}

export class OpenRuns {
  readonly #dependencies: RunDependencies;
  readonly #open = new Map<string, Entry>();

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies;
  }

  async use<Result>(place: PlaceOfRun, work: (run: OpenRun) => Promise<Result>): Promise<Result> {
    const { runId } = place;
    const entry = this.#open.get(runId) ?? {
      ...{ run: openRun(this.#dependencies, place), users: 0, leaving: undefined },
    };
    this.#open.set(runId, entry);
    clearTimeout(entry.leaving);
    entry.users += 1;
    try {
      return await work(await this.#opened(runId, entry));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#leave(runId, entry);
    }
  }

  /** One that could not be opened is tried again by whoever comes next. */
  async #opened(runId: string, entry: Entry): Promise<OpenRun> {
    try {
      return await entry.run;
    } catch (error) {
      if (this.#open.get(runId) === entry) this.#open.delete(runId);
      throw error;
    }
  }

  /** The run has ended. */
  forget(runId: string): void {
    const entry = this.#open.get(runId);
    if (entry?.users === 0) this.#end(runId, entry);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(([runId, entry]) => this.#end(runId, entry)));
  }

  /** Whoever ran a slice comes back for the next in a moment, and would have to open everything again. */
  #leave(runId: string, entry: Entry): void {
    entry.leaving = setTimeout(() => this.#end(runId, entry), betweenSlicesMs);
    entry.leaving.unref();
  }

  async #end(runId: string, entry: Entry): Promise<void> {
    clearTimeout(entry.leaving);
    if (this.#open.get(runId) === entry) this.#open.delete(runId);
    await entry.run.then(
      (run) => run.close(),
      () => undefined,
    );
  }
}

const betweenSlicesMs = 1000;

async function openRun(dependencies: RunDependencies, place: PlaceOfRun): Promise<OpenRun> {
  const { database, mcp } = dependencies;
  const { organizationId, projectId, runId } = place;
  const { plan, keys, providers, skillTexts, pinned } = await database.tenant(
    [organizationId],
    async (sql) => {
      const plan = await findRunPlan(sql, runId);
      if (plan === undefined) throw new Error('A launched run has no plan.');
      const versionIds = plan.skills.map(({ skillVersionId }) => skillVersionId);
      const run = { id: runId, organizationId };
      return {
        plan,
        keys: await openModelKeys(sql, database.vault, run),
        providers:
          (await openPinnedProviders(sql, database.vault, run)) ??
          (await listProviders(sql, database.vault, organizationId)),
        skillTexts: await findSkillTexts(sql, projectId, versionIds),
        pinned: await openPinned(sql, database.vault, run),
      };
    },
  );
  const secrets = new TraceSecrets();
  for (const key of Object.values(keys)) secrets.add(key);
  for (const { apiKey } of providers) if (apiKey !== null) secrets.add(apiKey);
  const own = providers.length > 0 ? dependencies.models.including(providers) : undefined;
  const models = withPlaces(own ?? dependencies.models, dependencies.places);
  const servers = createRunServers({
    mcp,
    organizationId,
    targets: plan.servers.map(({ id, name }) => {
      const pinnedServer = pinned?.find(({ server }) => server.id === id);
      return {
        id,
        name,
        // Nothing was asked of the server yet, so waiting for the database repeats nothing.
        target: async (signal) => {
          const target = await retryWhileDatabaseIsAway(
            () => findTarget(dependencies, place, plan, id, pinnedServer),
            signal,
          );
          return noteSecrets(secrets, target);
        },
      };
    }),
    sharesSessions: plan.sessions === 'run',
    trials: planTrials(plan).length,
    ...{ callsPerServer: dependencies.callsPerServer, places: dependencies.places },
    verifyEgress: () => dependencies.verifyEgress(),
    elapsedMs: () => performance.now(),
  });
  const keyed = Object.keys(keys);
  return {
    ...{ plan, secrets, models },
    writer: new TrialWriter(database, place),
    async close() {
      await own?.close();
      await servers.close();
    },
    dependencies: {
      ...{ servers, models, skillTexts, patterns: dependencies.patterns },
      modelOf(variant) {
        const chosen = chooseModel(variant, models.offer, keyed);
        if ('refusal' in chosen) {
          throw new ModelFailure('REQUEST_REFUSED', 'This model is not offered here any more.', 0);
        }
        const apiKey = chosen.hosted ? undefined : keys[chosen.provider];
        return { model: chosen, ...(apiKey !== undefined && { apiKey }) };
      },
      now: () => Date.now(),
      elapsedMs: () => performance.now(),
    },
  };
}

function withPlaces(models: ModelGateway, places: Places): ModelGateway {
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
  dependencies: WorkerDependencies,
  { organizationId, projectId }: PlaceOfRun,
  { client }: RunPlan,
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
