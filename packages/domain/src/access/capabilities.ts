/**
 * The planning answer of one project: what the caller could do there now. It is an aid; every write checks for itself. What
 * it says of an operation is read from the same row that the HTTP API enforces, and an operation that does not exist is
 * promised to nobody.
 */
import { type KeyScope, type OperationEffect, scopeAllows } from './key-scopes.ts';
import { tierAllows } from './project-tier.ts';
import type { OrganizationFeature, ProjectTier } from './roles.ts';

/** What a row asks of its caller. */
export interface GatedRow {
  readonly tier: ProjectTier;
  readonly effect: OperationEffect;
  readonly feature?: OrganizationFeature;
}

interface Capability {
  readonly operationId: string;
  /** Where the whole of it needs more than the row asks of everybody. */
  readonly tier?: ProjectTier;
  /** A list that is there for everybody, and empty while the feature is off. */
  readonly feature?: OrganizationFeature;
}

/** What the planning answer tells, and the operation each is about. */
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
  /** Of the key that asks; a person has the full one. */
  readonly scope: KeyScope;
  readonly features: readonly OrganizationFeature[];
  /** Whether the operator switched insights off. */
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
