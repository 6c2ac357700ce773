import { cancelUserTestingInsights } from './cancel-user-testing-insights.ts';
import { createEvalCaseFromVisit } from './create-eval-case-from-visit.ts';
import { deleteUserTestingSession } from './delete-user-testing-session.ts';
import { getScenario } from './get-scenario.ts';
import { getUserTestingMetrics } from './get-user-testing-metrics.ts';
import { getUserTestingScenario } from './get-user-testing-scenario.ts';
import { getUserTestingSession } from './get-user-testing-session.ts';
import { getUserTestingSignals } from './get-user-testing-signals.ts';
import { getUserTestingUsage } from './get-user-testing-usage.ts';
import { getUserTestingWindowInsights } from './get-user-testing-window-insights.ts';
import { listScenarioMembers } from './list-scenario-members.ts';
import { listScenarios } from './list-scenarios.ts';
import { listUserTestingFindings } from './list-user-testing-findings.ts';
import { listUserTestingSessions } from './list-user-testing-sessions.ts';
import { publishScenario } from './publish-scenario.ts';
import { rebindScenario } from './rebind-scenario.ts';
import { removeScenarioMember } from './remove-scenario-member.ts';
import { requestUserTestingInsights } from './request-user-testing-insights.ts';
import { rotateScenarioLink } from './rotate-scenario-link.ts';
import { setGuestExecution } from './set-guest-execution.ts';
import { unpublishScenario } from './unpublish-scenario.ts';
import { updateUserTestingScenario } from './update-user-testing-scenario.ts';
import { upsertScenarioMember } from './upsert-scenario-member.ts';

export const userTestingActions = {
  cancelUserTestingInsights,
  createEvalCaseFromVisit,
  deleteUserTestingSession,
  getScenario,
  getUserTestingMetrics,
  getUserTestingScenario,
  getUserTestingSession,
  getUserTestingSignals,
  getUserTestingUsage,
  getUserTestingWindowInsights,
  listScenarioMembers,
  listScenarios,
  listUserTestingFindings,
  listUserTestingSessions,
  publishScenario,
  rebindScenario,
  removeScenarioMember,
  requestUserTestingInsights,
  rotateScenarioLink,
  setGuestExecution,
  unpublishScenario,
  updateUserTestingScenario,
  upsertScenarioMember,
};
