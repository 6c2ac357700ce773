import { EvalCaseWritten } from '../eval-suites/case-shapes.ts';
import { defineOperation } from '../operation.ts';
import * as findings from './finding-shapes.ts';
import * as readouts from './readout-shapes.ts';
import * as waves from './wave-shapes.ts';

const tag = 'Swarms';
const project = '/projects/{projectId}';
const wave = `${project}/waves/{waveId}` as const;

export const getSwarmOverview = defineOperation({
  operationId: 'getSwarmOverview',
  surface: 'api',
  method: 'GET',
  path: `${project}/journeys-overview`,
  tag,
  summary: 'Read an overview of the journeys of a project',
  description:
    'Computed from the newest 200 runs; the newest 50 are listed. Contains no runs while swarms are switched off.',
  access: 'member',
  status: 200,
  output: readouts.SwarmOverview,
});

export const getJourneyRunScorecard = defineOperation({
  operationId: 'getJourneyRunScorecard',
  surface: 'api',
  method: 'GET',
  path: `${project}/journey-runs/{runId}/scorecard`,
  tag,
  summary: 'Read the scorecard of a journey run',
  description:
    'Counts of the stored grades, without a cost. Every rate divides by sessionsGraded. 404 with details.reason NO_RUBRIC if the run has no criteria.',
  access: 'member',
  status: 200,
  output: readouts.RunScorecard,
});

export const createEvalCaseFromSession = defineOperation({
  operationId: 'createEvalCaseFromSession',
  surface: 'api',
  method: 'POST',
  path: `${project}/journey-runs/{runId}/sessions/{sessionId}/eval-case`,
  tag,
  summary: 'Create a case from a session of a journey',
  description:
    'An addition of Proofmark beyond the specification. Each message of the user becomes a prompt and every criterion an assertion, on the model of the target. 409 with details.reason TRACE_NOT_AVAILABLE if its messages are not stored.',
  access: 'member',
  body: waves.SessionEvalCaseRequest,
  idempotent: true,
  status: 201,
  output: EvalCaseWritten,
  refusals: ['CONFLICT'],
});

export const listSwarmFindings = defineOperation({
  operationId: 'listSwarmFindings',
  surface: 'api',
  method: 'GET',
  path: `${project}/journey-findings`,
  tag,
  summary: 'List the findings of the waves of a project',
  description:
    'The most recently changed first, including dismissed ones. Empty while swarms are switched off.',
  access: 'member',
  query: findings.SwarmFindingsQuery,
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: findings.SwarmFindingPage,
});

export const dismissSwarmFinding = defineOperation({
  operationId: 'dismissSwarmFinding',
  surface: 'api',
  method: 'POST',
  path: `${project}/journey-findings/{findingId}/dismiss`,
  tag,
  summary: 'Hide a finding',
  description: 'Hides the finding. Its status and its counts are still updated.',
  access: 'member',
  feature: 'swarms',
  status: 200,
  output: findings.FindingDismissed,
});

export const undismissSwarmFinding = defineOperation({
  operationId: 'undismissSwarmFinding',
  surface: 'api',
  method: 'POST',
  path: `${project}/journey-findings/{findingId}/undismiss`,
  tag,
  summary: 'Show a finding again',
  description: 'Has no effect on a finding that is not dismissed.',
  access: 'member',
  feature: 'swarms',
  status: 200,
  output: findings.FindingDismissed,
});

export const getWave = defineOperation({
  operationId: 'getWave',
  surface: 'api',
  method: 'GET',
  path: wave,
  tag,
  summary: 'Read a wave',
  description:
    'An addition of Proofmark beyond the specification. terminal: no session is in progress or waits for a grade; mined: the search for findings is complete. A run has its verdict, the models that played the user and that judge; its sessions are read with the run.',
  access: 'member',
  status: 200,
  output: waves.Wave,
});

export const compareWaves = defineOperation({
  operationId: 'compareWaves',
  surface: 'api',
  method: 'GET',
  path: `${wave}/compare`,
  tag,
  summary: 'Compare a wave with another',
  description:
    'An addition of Proofmark beyond the specification. Compares pass rates by journey, target and criterion, in the same way as runs of suites; equal transcripts of a target count once.',
  access: 'member',
  query: waves.WaveCompareQuery,
  status: 200,
  output: waves.WaveComparison,
});

export const getWaveInsights = defineOperation({
  operationId: 'getWaveInsights',
  surface: 'api',
  method: 'GET',
  path: `${wave}/insights`,
  tag,
  summary: 'Read the explanations of the findings of a wave',
  description:
    '404 if they were not requested, or if the wave does not exist; details.reason distinguishes the two.',
  access: 'member',
  status: 200,
  output: waves.WaveInsights,
});

export const requestWaveInsights = defineOperation({
  operationId: 'requestWaveInsights',
  surface: 'api',
  method: 'POST',
  path: `${wave}/insights`,
  tag,
  summary: 'Request explanations of the findings of a wave',
  description:
    'An existing or pending explanation is kept unless force is true. Counts against insightsPerDay. 409 with details.reason WAVE_NOT_TERMINAL while the wave is in progress; 422 if the operator has switched insights off.',
  access: 'member',
  feature: 'swarms',
  effect: 'runs',
  body: waves.WaveInsightsRequest,
  status: 202,
  output: waves.WaveInsightsRequested,
  refusals: ['CONFLICT', 'FEATURE_NOT_SUPPORTED'],
});

export const cancelWaveInsights = defineOperation({
  operationId: 'cancelWaveInsights',
  surface: 'api',
  method: 'DELETE',
  path: `${wave}/insights`,
  tag,
  summary: 'Cancel the explanations of a wave',
  description: 'Only while they are pending; otherwise 409 with details.reason NOT_PENDING.',
  access: 'member',
  feature: 'swarms',
  status: 200,
  output: waves.WaveInsightsCanceled,
  refusals: ['CONFLICT'],
});
