/** The eval runs this process works on, with all that their trials need. */
import { modelsNamed, planTrials, type RunPlan } from '@proofmark/domain';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { findSkillTexts } from '../../environments/index.ts';
import { listProviders } from '../../models/index.ts';
import { openPinned } from '../../servers/index.ts';
import type { RunLocation } from '../store/run-location.ts';
import { findRunPlan, openModelKeys, openPinnedProviders } from '../store/run-plans.ts';
import { openModels, openServers } from './open-parts.ts';
import { OpenRunCache } from './open-run-cache.ts';
import { scorersOfRun } from './scorers-of-run.ts';
import type { ScorersOfTrial } from './scorers-with-secret.ts';
import { TrialWriter } from './trial-writer.ts';
import type { RunDependencies } from './worker-parts.ts';

export interface OpenRun {
  readonly plan: RunPlan;
  readonly dependencies: TrialDependencies;
  /** With those of the organization, as they were at the launch. */
  readonly models: ModelGateway;
  readonly writer: TrialWriter;
  readonly scorersOf: ScorersOfTrial;
  /** What was sent to its servers and models, and is not kept. */
  readonly secrets: TraceSecrets;
  close(): Promise<void>;
}

export class OpenRuns extends OpenRunCache<OpenRun> {
  constructor(dependencies: RunDependencies) {
    super((place) => openEvalRun(dependencies, place));
  }
}

/** For one who shares its sessions with nobody, they are its own, whatever the run says. */
export async function openEvalRun(
  dependencies: RunDependencies,
  place: RunLocation,
  mayShare = true,
): Promise<OpenRun> {
  const { database } = dependencies;
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
  const opened = openModels(dependencies, { providers, keys, secrets });
  const { models } = opened;
  const servers = openServers(dependencies, place, {
    servers: plan.servers,
    client: plan.client,
    pinned,
    secrets,
    sharesSessions: mayShare && plan.sessions === 'run',
    hasNoModel: plan.cases.every(({ variants }) => modelsNamed(variants).length === 0),
    trials: planTrials(plan).length,
  });
  return {
    plan,
    secrets,
    models,
    writer: new TrialWriter(database, place),
    scorersOf: scorersOfRun(dependencies, place, plan, secrets),
    async close() {
      await opened.close();
      await servers.close();
    },
    dependencies: {
      servers,
      models,
      skillTexts,
      patterns: dependencies.patterns,
      modelOf: opened.modelOf,
      ...(dependencies.widgets && { widgets: dependencies.widgets }),
      redact: (kept) => secrets.redact(kept),
      now: () => Date.now(),
      elapsedMs: () => performance.now(),
    },
  };
}
