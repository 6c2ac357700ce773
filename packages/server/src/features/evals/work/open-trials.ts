import { modelsNamed, type PatternEngine, planTrials, type RunPlan } from '@proofmark/domain';
import type { RunServers } from '../../../conversation/run-servers.ts';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { WidgetsHere } from '../../../outside/browser/widgets-here.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { openModels, type ServersOfPlan, type WaysOut } from './open-parts.ts';

export interface OpenTrials {
  readonly plan: RunPlan;
  readonly dependencies: TrialDependencies;
  /** The operator's models and those of the providers that the organization had at the launch. */
  readonly models: ModelGateway;
  /** The secrets that were sent to servers and models, and that must not be stored. */
  readonly secrets: TraceSecrets;
  close(): Promise<void>;
}

export interface TrialsToOpen extends Omit<Parameters<typeof openModels>[1], 'secrets'> {
  readonly plan: RunPlan;
  readonly skillTexts: ReadonlyMap<string, string>;
  /**
   * If false, this caller uses its own server sessions, even if the run shares sessions (default:
   * true).
   */
  readonly mayShare?: boolean;
}

export interface PartsOfTrials extends Pick<WaysOut, 'models' | 'places'> {
  readonly patterns: PatternEngine;
  /** If absent, no widget can be rendered. */
  readonly widgets?: WidgetsHere;
}

export function openTrials(
  { patterns, widgets, ...parts }: PartsOfTrials,
  { plan, skillTexts, mayShare = true, ...ofModels }: TrialsToOpen,
  openServers: (wanted: ServersOfPlan) => RunServers,
): OpenTrials {
  const secrets = new TraceSecrets();
  const opened = openModels(parts, { ...ofModels, secrets });
  const { models } = opened;
  const servers = openServers({
    servers: plan.servers,
    secrets,
    sharesSessions: mayShare && plan.sessions === 'run',
    hasNoModel: plan.cases.every(({ variants }) => modelsNamed(variants).length === 0),
    trials: planTrials(plan).length,
  });
  return {
    plan,
    secrets,
    models,
    async close() {
      await opened.close();
      await servers.close();
    },
    dependencies: {
      servers,
      models,
      skillTexts,
      patterns,
      modelOf: opened.modelOf,
      ...(widgets && { widgets }),
      redact: (kept) => secrets.redact(kept),
      now: () => Date.now(),
      elapsedMs: () => performance.now(),
    },
  };
}
