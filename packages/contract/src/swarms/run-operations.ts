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
  description:
    'Newest first, even if the journey is archived. Attempts are included only in reads of a single run.',
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
    'Plays sessionsPerTarget sessions on every target. The run continues on its own: poll it until its status is not running. A repeated request with the same Idempotency-Key returns the first run and uses no quota.',
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
  summary: 'Estimate the cost of a journey run',
  description:
    'An addition of Proofmark beyond the specification. Takes the body of a launch; nothing is created, and no quota is used. Fails with the same errors as the launch.',
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
    'With all attempts and the counts of every target. The status of a canceled or stale run is failed: read canceled and stale first.',
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
  description: 'The sessions that have started, by target and then by sessionIndex.',
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
    'An addition of Proofmark beyond the specification. The trace grows with every turn while the session is in progress. 404 with details.reason TRACE_NOT_AVAILABLE before the first turn is written.',
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
    'Sessions that have ended keep their results; the others end as canceled. Works even if swarms are switched off. Cancelling again returns the same answer; a run that ended otherwise is 409.',
  access: 'member',
  effect: 'runs',
  status: 200,
  output: shapes.JourneyRunCanceled,
  refusals: ['CONFLICT'],
});
