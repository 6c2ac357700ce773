import { defineOperation } from '../operation.ts';
import * as shapes from './readout-shapes.ts';

const tag = 'User testing';
const scenario = '/projects/{projectId}/user-testing/scenarios/{scenarioId}';
const finding = `${scenario}/findings/{findingId}` as const;

export const getUserTestingMetrics = defineOperation({
  operationId: 'getUserTestingMetrics',
  surface: 'api',
  method: 'GET',
  path: `${scenario}/metrics`,
  tag,
  summary: 'Read the metrics of a scenario',
  description:
    'Computed without a cost. 404 with details.reason NO_SESSIONS if there is no session at all; a population without sessions has counts of 0.',
  access: 'member',
  query: shapes.PopulationQuery,
  status: 200,
  output: shapes.ScenarioMetrics,
});

export const getUserTestingUsage = defineOperation({
  operationId: 'getUserTestingUsage',
  surface: 'api',
  method: 'GET',
  path: `${scenario}/usage`,
  tag,
  summary: 'Read the usage of a scenario',
  description:
    'Computed from the newest 500 sessions of visitors and of simulated users. 404 with details.reason NO_SESSIONS if there is no session at all.',
  access: 'member',
  status: 200,
  output: shapes.ScenarioUsage,
});

export const getUserTestingSignals = defineOperation({
  operationId: 'getUserTestingSignals',
  surface: 'api',
  method: 'GET',
  path: `${scenario}/signals`,
  tag,
  summary: 'Read the findings of the newest window of a scenario',
  description:
    'A window covers the sessions of a week that had ended by its end. 404 with details.reason NOT_MINED if there is none.',
  access: 'member',
  status: 200,
  output: shapes.ScenarioSignals,
});

export const listUserTestingFindings = defineOperation({
  operationId: 'listUserTestingFindings',
  surface: 'api',
  method: 'GET',
  path: `${scenario}/findings`,
  tag,
  summary: 'List the findings of all windows of a scenario',
  description: 'The most recently changed first, including dismissed ones.',
  access: 'member',
  status: 200,
  output: shapes.ScenarioFindingPage,
});

export const dismissUserTestingFinding = defineOperation({
  operationId: 'dismissUserTestingFinding',
  surface: 'api',
  method: 'POST',
  path: `${finding}/dismiss`,
  tag,
  summary: 'Hide a finding of a scenario',
  description: 'Hides the finding. Its status and its counts are still updated.',
  access: 'member',
  feature: 'user-testing',
  status: 200,
  output: shapes.ScenarioFindingDismissed,
});

export const undismissUserTestingFinding = defineOperation({
  operationId: 'undismissUserTestingFinding',
  surface: 'api',
  method: 'POST',
  path: `${finding}/undismiss`,
  tag,
  summary: 'Show a finding of a scenario again',
  description: 'Has no effect on a finding that is not dismissed.',
  access: 'member',
  feature: 'user-testing',
  status: 200,
  output: shapes.ScenarioFindingDismissed,
});

export const getUserTestingWindowInsights = defineOperation({
  operationId: 'getUserTestingWindowInsights',
  surface: 'api',
  method: 'GET',
  path: `${scenario}/windows/{windowId}/insights`,
  tag,
  summary: 'Read the explanations of the findings of a window',
  description:
    '404 if they were not requested, or if the window does not exist; details.reason distinguishes the two.',
  access: 'member',
  status: 200,
  output: shapes.ScenarioWindowInsights,
});

export const requestUserTestingInsights = defineOperation({
  operationId: 'requestUserTestingInsights',
  surface: 'api',
  method: 'POST',
  path: `${scenario}/insights`,
  tag,
  summary: 'Request explanations of the findings of the newest window',
  description:
    'An existing or pending explanation is kept unless force is true. Counts against insightsPerDay. 409 with details.reason WINDOW_NOT_ANALYZED if there is no window; 422 if the operator has switched insights off.',
  access: 'member',
  feature: 'user-testing',
  effect: 'runs',
  body: shapes.ScenarioInsightsRequest,
  status: 202,
  output: shapes.ScenarioInsightsRequested,
  refusals: ['CONFLICT', 'FEATURE_NOT_SUPPORTED'],
});

export const cancelUserTestingInsights = defineOperation({
  operationId: 'cancelUserTestingInsights',
  surface: 'api',
  method: 'DELETE',
  path: `${scenario}/insights`,
  tag,
  summary: 'Cancel the explanations of a window',
  description:
    'Only while they are pending; finished explanations stay. 404 if they were not requested.',
  access: 'member',
  feature: 'user-testing',
  body: shapes.ScenarioInsightsCancelRequest,
  status: 200,
  output: shapes.ScenarioInsightsCanceled,
});
