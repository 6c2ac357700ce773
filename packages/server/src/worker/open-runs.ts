/**
 * The runs this process works on. Their plan never changes, so it is read once; servers are connected to and their
 * tools listed once for all lanes here. When the last lane of a run leaves, everything of it is forgotten, the
 * caller's model keys above all.
 */
import { chooseModel, notFound, Refused, type RunPlan } from '@proofmark/domain';
import { targetOf } from '../actions/servers/target-of.ts';
import { createServerDesk } from '../engine/create-server-desk.ts';
import type { TrialMeans } from '../engine/run-trial.ts';
import type { McpTarget } from '../mcp/mcp-target.ts';
import { ModelFailure } from '../model/model-failure.ts';
import type { PlaceOfRun } from '../storage/eval-slices.ts';
import { findRunPlan, openModelKeys } from '../storage/run-plans.ts';
import { findServerToCall } from '../storage/servers.ts';
import { findSkillTexts } from '../storage/skills.ts';
import { outlast } from './outlast.ts';
import { TrialWriter } from './trial-writer.ts';
import type { WorkerMeans } from './worker-means.ts';

export interface OpenRun {
  readonly plan: RunPlan;
  readonly means: TrialMeans;
  readonly writer: TrialWriter;
}

export class OpenRuns {
  readonly #means: WorkerMeans;
  readonly #open = new Map<string, { run: Promise<OpenRun>; users: number }>();

  constructor(means: WorkerMeans) {
    this.#means = means;
  }

  async use<Result>(place: PlaceOfRun, work: (run: OpenRun) => Promise<Result>): Promise<Result> {
    const entry = this.#open.get(place.runId) ?? { run: openRun(this.#means, place), users: 0 };
    this.#open.set(place.runId, entry);
    entry.users += 1;
    try {
      return await work(await entry.run);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#open.delete(place.runId);
    }
  }
}

async function openRun(means: WorkerMeans, place: PlaceOfRun): Promise<OpenRun> {
  const { database, models, mcp } = means;
  const { organizationId, projectId, runId } = place;
  const { plan, keys, skillTexts } = await database.tenant([organizationId], async (sql) => {
    const plan = await findRunPlan(sql, runId);
    if (plan === undefined) throw new Error('A launched run has no plan.');
    const versionIds = plan.skills.map(({ skillVersionId }) => skillVersionId);
    return {
      plan,
      keys: await openModelKeys(sql, database.vault, { id: runId, organizationId }),
      skillTexts: await findSkillTexts(sql, projectId, versionIds),
    };
  });
  const servers = createServerDesk({
    mcp,
    targets: plan.servers.map(({ id, name }) => ({
      id,
      name,
      // Nothing was asked of the server yet, so waiting for the database repeats nothing.
      target: (signal) => outlast(() => findTarget(means, place, plan, id), signal),
    })),
    callsPerServer: means.callsPerServer,
    verifyEgress: () => means.verifyEgress(),
    elapsedMs: () => performance.now(),
  });
  const keyed = Object.keys(keys);
  return {
    plan,
    writer: new TrialWriter(database, place),
    means: {
      ...{ servers, models, skillTexts, patterns: means.patterns },
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

/** As the client of the plan connects; where no saved client was chosen, as the saved server says. */
async function findTarget(
  means: WorkerMeans,
  { organizationId, projectId }: PlaceOfRun,
  { client }: RunPlan,
  serverId: string,
): Promise<McpTarget> {
  const { database } = means;
  const found = await database.tenant([organizationId], (sql) =>
    findServerToCall(sql, database.vault, projectId, serverId),
  );
  if (found === undefined) throw new Refused({ ...notFound, message: 'The server was deleted.' });
  return targetOf(means, found, client.id === undefined ? undefined : client);
}
