/**
 * The planning answer of one project: what the caller could do there now. It is an aid; every
 * write checks for itself. Nothing is promised that no operation of this service does. Cancelling
 * and unpublishing stay possible when a feature is off.
 */
import { tierAllows } from './project-tier.ts';
import type { ProjectTier } from './roles.ts';

export function projectCapabilities(standing: {
  readonly tier: ProjectTier;
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
  const { offers } = standing;
  const swarms = standing.swarms && offers.swarms;
  const userTesting = standing.userTesting && offers.userTesting;
  const admin = tierAllows(standing.tier, 'admin');
  const manage = tierAllows(standing.tier, 'manage');
  return {
    readSwarms: swarms,
    readUserTesting: userTesting,
    writeSwarms: swarms,
    launchJourneyRun: swarms,
    cancelJourneyRun: offers.swarms,
    publishUserTestingScenario: userTesting && admin,
    unpublishUserTestingScenario: offers.userTesting && admin,
    changeUserTestingExposure: userTesting && admin,
    manageUserTestingGuestExecution: userTesting && admin,
    requestInsights: swarms || userTesting,
    readEvals: true,
    writeEvalSuites: true,
    launchEvalRun: true,
    deleteAnyEvalSuite: manage,
    deleteAnyEvalRun: offers.deletingRuns && manage,
    exportEvalTraces: true,
  };
}
