import type { JourneySnapshot, JourneyTarget } from '@proofmark/domain';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { TurnPlan } from '../../../conversation/turn-parts.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import { findSkillTexts } from '../../environments/index.ts';
import {
  type OpenModels,
  OpenRunCache,
  openModels,
  openServers,
  type RunDependencies,
  type RunLocation,
} from '../../evals/index.ts';
import { findJourneySnapshot, openJourneyPins } from '../store/journey-snapshots.ts';

export interface OpenJourneyRun {
  readonly snapshot: JourneySnapshot;
  readonly models: OpenModels;
  /** The secrets that were sent to the run's servers and models, to redact them before storage. */
  readonly secrets: TraceSecrets;
  target(target: JourneyTarget): OpenTarget;
  close(): Promise<void>;
}

export interface OpenTarget {
  readonly plan: TurnPlan;
  readonly dependencies: TrialDependencies;
}

export class OpenJourneyRuns extends OpenRunCache<OpenJourneyRun> {
  constructor(dependencies: RunDependencies) {
    super((place) => openJourneyRun(dependencies, place));
  }
}

async function openJourneyRun(
  dependencies: RunDependencies,
  place: RunLocation,
): Promise<OpenJourneyRun> {
  const { database } = dependencies;
  const { organizationId, projectId, runId } = place;
  const { snapshot, pins, skillTexts } = await database.tenant([organizationId], async (sql) => {
    const snapshot = await findJourneySnapshot(sql, runId);
    if (snapshot === undefined)
      throw new Error('Internal fault: a launched journey run has no stored copy of its journey.');
    const skills = snapshot.targets.flatMap((target) => target.skills);
    const versionIds = [...new Set(skills.map(({ skillVersionId }) => skillVersionId))];
    return {
      snapshot,
      pins: await openJourneyPins(sql, database.vault, { id: runId, organizationId }),
      skillTexts: await findSkillTexts(sql, projectId, versionIds),
    };
  });
  const secrets = new TraceSecrets();
  const models = openModels(dependencies, { providers: pins.providers, keys: {}, secrets });
  const targets = new Map<string, OpenTarget>();
  const open = (target: JourneyTarget): OpenTarget => {
    const { hostId, client, servers, skills } = target;
    const plan = {
      client: { id: hostId, ...client },
      servers,
      skills,
      limits: { maxModelSteps: snapshot.limits.maxModelSteps },
      ...(snapshot.allowWrites && { allowWrites: snapshot.allowWrites }),
    };
    return {
      plan,
      dependencies: {
        servers: openServers(dependencies, place, {
          servers,
          client: plan.client,
          pinned: pins.servers,
          secrets,
          trials: snapshot.sessionsPerTarget,
        }),
        models: models.models,
        modelOf: models.modelOf,
        skillTexts,
        patterns: dependencies.patterns,
        now: () => Date.now(),
        elapsedMs: () => performance.now(),
      },
    };
  };
  return {
    snapshot,
    models,
    secrets,
    target(target) {
      const known = targets.get(target.targetId) ?? open(target);
      targets.set(target.targetId, known);
      return known;
    },
    async close() {
      await models.close();
      await Promise.all([...targets.values()].map((one) => one.dependencies.servers.close()));
    },
  };
}
