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
  summary: 'Read how a scenario does',
  description:
    'Counted, free. 404 with details.reason NO_SESSIONS while there is no session at all; none of the asked population among others is a count of 0.',
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
  summary: 'Read who uses a scenario with what',
  description:
    'Counted over the newest 500 sessions of visitors and of simulated users. 404 with details.reason NO_SESSIONS while there is no session at all.',
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
  summary: 'Read what was found in the newest window of a scenario',
  description:
    'A window is what was found in the sessions of a week that were over by its end. 404 with details.reason NOT_MINED while there is none.',
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
  summary: 'List what windows of a scenario found',
  description: 'All of them, what changed last first, dismissed ones too.',
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
  description: 'Its status and its counts go on underneath.',
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
  description: 'One that is not hidden stays as it is.',
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
  summary: 'Read what was explained of a window',
  description: '404 where nobody asked; details.reason tells that from a window that is not there.',
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
  summary: 'Have explained what was found in the newest window',
  description:
    'What is there, or on its way, stands unless force asks again. Counts against insightsPerDay. 409 with details.reason WINDOW_NOT_ANALYZED while there is no window; 422 where the operator has switched insights off.',
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
  summary: 'Stop explaining a window',
  description: 'While it is pending; what is finished stays. 404 where nobody asked.',
  access: 'member',
  feature: 'user-testing',
  body: shapes.ScenarioInsightsCancelRequest,
  status: 200,
  output: shapes.ScenarioInsightsCanceled,
});
