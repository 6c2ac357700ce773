/**
 * The actions that a caller may take in one project, derived from the rights that the HTTP API
 * requires. They only help callers to plan, because every write checks the rights itself.
 */
import { type KeyScope, type OperationEffect, scopeAllows } from './key-scopes.ts';
import { tierAllows } from './project-tier.ts';
import type { OrganizationFeature, ProjectTier } from './roles.ts';

export interface GatedRow {
  readonly tier: ProjectTier;
  readonly effect: OperationEffect;
  readonly feature?: OrganizationFeature;
}

interface Capability {
  readonly operationId: string;
  /**
   * Tier for the full use of the operation. Set if the API allows partial use with a lower tier.
   */
  readonly tier?: ProjectTier;
  /**
   * The feature that the capability requires. Set for a list that everyone may read, but that is
   * empty while the feature is off.
   */
  readonly feature?: OrganizationFeature;
}

export const capabilities = {
  readSwarms: { operationId: 'listSwarms', feature: 'swarms' },
  readUserTesting: { operationId: 'listScenarios', feature: 'user-testing' },
  writeSwarms: { operationId: 'createSwarm' },
  launchJourneyRun: { operationId: 'launchJourneyRun' },
  cancelJourneyRun: { operationId: 'cancelJourneyRun' },
  publishUserTestingScenario: { operationId: 'publishScenario' },
  unpublishUserTestingScenario: { operationId: 'unpublishScenario' },
  changeUserTestingExposure: { operationId: 'updateUserTestingScenario' },
  manageUserTestingGuestExecution: { operationId: 'setGuestExecution' },
  requestInsights: { operationId: 'requestEvalRunInsights' },
  readEvals: { operationId: 'getEvalRun' },
  writeEvalSuites: { operationId: 'createEvalSuite' },
  launchEvalRun: { operationId: 'createEvalRun' },
  deleteAnyEvalSuite: { operationId: 'deleteEvalSuite', tier: 'manage' },
  deleteAnyEvalRun: { operationId: 'deleteEvalRun', tier: 'manage' },
  exportEvalTraces: { operationId: 'getEvalIterationTrace' },
} as const satisfies Readonly<Record<string, Capability>>;

export type CapabilityName = keyof typeof capabilities;

export interface Standing {
  readonly tier: ProjectTier;
  /** Scope of the calling API key. A person has the full scope. */
  readonly scope: KeyScope;
  readonly features: readonly OrganizationFeature[];
  readonly insightsAreOff: boolean;
}

export function projectCapabilities(
  standing: Standing,
  rowOf: (operationId: string) => GatedRow | undefined,
): Readonly<Record<CapabilityName, boolean>> {
  const can = Object.entries(capabilities).map(([name, capability]) => [
    name,
    allows(standing, capability, rowOf(capability.operationId)),
  ]);
  const answer = Object.fromEntries(can) as Record<CapabilityName, boolean>;
  return standing.insightsAreOff ? { ...answer, requestInsights: false } : answer;
}

function allows(
  { tier, scope, features }: Standing,
  capability: Capability,
  row: GatedRow | undefined,
): boolean {
  if (row === undefined) return false;
  const needed = [row.feature, capability.feature].filter((one) => one !== undefined);
  return (
    tierAllows(tier, capability.tier ?? row.tier) &&
    scopeAllows(scope, row.effect) &&
    needed.every((feature) => features.includes(feature))
  );
}
