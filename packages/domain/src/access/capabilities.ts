/**
 * The planning answer of one project: what the caller could do there now. It is an aid; every
 * write checks for itself. Cancelling and unpublishing stay possible when a feature is off.
 */
import { tierAllows } from './project-tier.ts';
import type { ProjectTier } from './roles.ts';

export function projectCapabilities(standing: {
  readonly tier: ProjectTier;
  readonly swarms: boolean;
  readonly userTesting: boolean;
}) {
  const admin = tierAllows(standing.tier, 'admin');
  const manage = tierAllows(standing.tier, 'manage');
  return {
    readSwarms: standing.swarms,
    readUserTesting: standing.userTesting,
    writeSwarms: standing.swarms,
    launchJourneyRun: standing.swarms,
    cancelJourneyRun: true,
    publishUserTestingScenario: standing.userTesting && admin,
    unpublishUserTestingScenario: admin,
    changeUserTestingExposure: standing.userTesting && admin,
    manageUserTestingGuestExecution: standing.userTesting && admin,
    requestInsights: standing.swarms || standing.userTesting,
    readEvals: true,
    writeEvalSuites: true,
    launchEvalRun: true,
    deleteAnyEvalSuite: manage,
    deleteAnyEvalRun: manage,
    exportEvalTraces: true,
  };
}
