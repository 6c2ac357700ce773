/**
 * The planning answer of one project: what the caller could do there now. It is an aid; every
 * write checks for itself. Nothing is promised that no operation of this service does. Cancelling
 * and unpublishing stay possible when a feature is off.
 */
import { type KeyScope, scopeAllows } from './key-scopes.ts';
import { tierAllows } from './project-tier.ts';
import type { ProjectTier } from './roles.ts';

export function projectCapabilities(standing: {
  readonly tier: ProjectTier;
  /** Of the key that asks; a person has the full one. */
  readonly scope: KeyScope;
  /** Whether the feature is on. */
  readonly swarms: boolean;
  readonly userTesting: boolean;
  /** What this service has operations for. */
  readonly offers: {
    readonly swarms: boolean;
    readonly userTesting: boolean;
    readonly deletingRuns: boolean;
  };
}) {
  const { offers, scope } = standing;
  const writes = scopeAllows(scope, 'writes');
  const runs = scopeAllows(scope, 'runs');
  const swarms = standing.swarms && offers.swarms;
  const userTesting = standing.userTesting && offers.userTesting;
  const admin = writes && tierAllows(standing.tier, 'admin');
  const manage = writes && tierAllows(standing.tier, 'manage');
  return {
    readSwarms: swarms,
    readUserTesting: userTesting,
    writeSwarms: writes && swarms,
    launchJourneyRun: runs && swarms,
    cancelJourneyRun: runs && offers.swarms,
    publishUserTestingScenario: userTesting && admin,
    unpublishUserTestingScenario: offers.userTesting && admin,
    changeUserTestingExposure: userTesting && admin,
    manageUserTestingGuestExecution: userTesting && admin,
    requestInsights: writes && (swarms || userTesting),
    readEvals: true,
    writeEvalSuites: writes,
    launchEvalRun: runs,
    deleteAnyEvalSuite: manage,
    deleteAnyEvalRun: offers.deletingRuns && manage,
    exportEvalTraces: true,
  };
}
