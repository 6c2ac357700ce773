import { findSkillTexts } from '../../environments/index.ts';
import { listProviders } from '../../models/index.ts';
import { openPinned } from '../../servers/index.ts';
import type { RunLocation } from '../store/run-location.ts';
import { findRunPlan, openModelKeys, openPinnedProviders } from '../store/run-plans.ts';
import { openServers, openTarget } from './open-parts.ts';
import { OpenRunCache } from './open-run-cache.ts';
import { type OpenTrials, openTrials } from './open-trials.ts';
import { type PlayScenario, playScenarioTrial } from './play-conformance.ts';
import { scorersOfRun } from './scorers-of-run.ts';
import type { ScorersOfTrial } from './scorers-with-secret.ts';
import { TrialWriter } from './trial-writer.ts';
import type { RunDependencies } from './worker-parts.ts';

export interface OpenRun extends OpenTrials {
  readonly writer: TrialWriter;
  readonly scorersOf: ScorersOfTrial;
  readonly playScenario: PlayScenario;
}

export class OpenRuns extends OpenRunCache<OpenRun> {
  constructor(dependencies: RunDependencies) {
    super((place) => openEvalRun(dependencies, place));
  }
}

/**
 * If `mayShare` is false, this caller uses its own server sessions, even if the run shares
 * sessions.
 */
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
      if (plan === undefined) throw new Error('Internal fault: a launched run has no stored plan.');
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
  const opened = openTrials(
    dependencies,
    { plan, keys, providers, skillTexts, mayShare },
    (wanted) => openServers(dependencies, place, { ...wanted, client: plan.client, pinned }),
  );
  const conformance = {
    folder: dependencies.conformanceFolder,
    mcp: dependencies.mcp,
    verifyEgress: () => dependencies.verifyEgress(),
    target: (serverId: string) =>
      openTarget(dependencies, place, { client: plan.client, pinned, serverId }),
  };
  return {
    ...opened,
    writer: new TrialWriter(database, place),
    scorersOf: scorersOfRun(dependencies, place, plan, opened.secrets),
    playScenario: (trial, signal) => playScenarioTrial({ ...opened, conformance }, trial, signal),
  };
}
