import { EvalIterationTrace } from '../eval-runs/shapes.ts';
import { defineOperation } from '../operation.ts';
import * as shapes from './run-shapes.ts';

const tag = 'Swarms';
const runsOfJourney = '/projects/{projectId}/journeys/{journeyId}/runs';
const run = '/projects/{projectId}/journey-runs/{runId}';
const page = { defaultLimit: 50, cursorParameter: 'cursor' } as const;

export const listJourneyRuns = defineOperation({
  operationId: 'listJourneyRuns',
  surface: 'api',
  method: 'GET',
  path: runsOfJourney,
  tag,
  summary: 'List the runs of a journey',
  description: 'Newest first, also of an archived journey. Attempts are read with a single run.',
  access: 'member',
  page,
  status: 200,
  output: shapes.JourneyRunPage,
});

export const launchJourneyRun = defineOperation({
  operationId: 'launchJourneyRun',
  surface: 'api',
  method: 'POST',
  path: runsOfJourney,
  tag,
  summary: 'Launch a run of a journey',
  description:
    'Every target plays sessionsPerTarget sessions. The run goes on by itself: poll it until its status is not running. With an Idempotency-Key that launched a run before, that run is answered and nothing is counted.',
  access: 'member',
  feature: 'swarms',
  effect: 'runs',
  body: shapes.JourneyRunLaunchRequest,
  idempotent: true,
  slow: true,
  status: 202,
  output: shapes.JourneyRunLaunched,
  refusals: ['CONFLICT'],
});

export const estimateJourneyRun = defineOperation({
  operationId: 'estimateJourneyRun',
  surface: 'api',
  method: 'POST',
  path: `${runsOfJourney}/estimate`,
  tag,
  summary: 'Tell what a run of a journey would use',
  description:
    'An addition of Proofmark beyond the specification. The body of a launch; nothing is made and nothing is counted. Refused as the launch would be.',
  access: 'member',
  feature: 'swarms',
  effect: 'reads',
  body: shapes.JourneyRunLaunchRequest,
  status: 200,
  output: shapes.JourneyRunEstimate,
  refusals: ['CONFLICT'],
});

export const getJourneyRun = defineOperation({
  operationId: 'getJourneyRun',
  surface: 'api',
  method: 'GET',
  path: run,
  tag,
  summary: 'Read a run of a journey',
  description:
    'With every attempt and the counts of every target. A canceled or stale run says failed: read those marks first.',
  access: 'member',
  status: 200,
  output: shapes.JourneyRun,
});

export const listJourneyRunSessions = defineOperation({
  operationId: 'listJourneyRunSessions',
  surface: 'api',
  method: 'GET',
  path: `${run}/sessions`,
  tag,
  summary: 'List the sessions of a journey run',
  description: 'Those that were begun, by target and then by sessionIndex.',
  access: 'member',
  page,
  status: 200,
  output: shapes.JourneyRunSessionPage,
});

export const getJourneyRunSessionTrace = defineOperation({
  operationId: 'getJourneyRunSessionTrace',
  surface: 'api',
  method: 'GET',
  path: `${run}/sessions/{sessionId}/trace`,
  tag,
  summary: 'Read the trace of a session',
  description:
    'An addition of Proofmark beyond the specification. It grows with every turn while the session goes on. 404 with details.reason TRACE_NOT_AVAILABLE before the first turn was written.',
  access: 'member',
  status: 200,
  output: EvalIterationTrace,
});

export const cancelJourneyRun = defineOperation({
  operationId: 'cancelJourneyRun',
  surface: 'api',
  method: 'POST',
  path: `${run}/cancel`,
  tag,
  summary: 'Cancel a run of a journey',
  description:
    'Sessions that have ended stay as they are, the others end as canceled. Works also while swarms are switched off. Again it answers the same; a run that ended otherwise gives 409.',
  access: 'member',
  effect: 'runs',
  status: 200,
  output: shapes.JourneyRunCanceled,
  refusals: ['CONFLICT'],
});
