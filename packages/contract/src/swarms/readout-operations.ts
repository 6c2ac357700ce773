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
  summary: 'Read how the journeys of a project do',
  description:
    'From the newest 200 runs; the newest 50 are shown. Without any run while swarms are switched off.',
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
    'Stored grades, counted; free. Every rate divides by sessionsGraded. 404 with details.reason NO_RUBRIC where the run has no criteria.',
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
  summary: 'Make a session a case of a suite',
  description:
    'An addition of Proofmark beyond the specification. Each message of the user becomes a prompt and every criterion a check, on the model of the target. 409 with details.reason TRACE_NOT_AVAILABLE where its words are not kept.',
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
  summary: 'List what waves of a project found',
  description:
    'What changed last stands first, dismissed ones too. Empty while swarms are switched off.',
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
  description: 'Its status and its counts go on underneath.',
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
  description: 'One that is not hidden stays as it is.',
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
    'An addition of Proofmark beyond the specification. terminal: nothing of it goes on or waits for a grade; mined: findings were looked for. A run shows its verdict, who played and who judges; its sessions stand with the run.',
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
    'An addition of Proofmark beyond the specification. Rates of passing by journey, target and criterion, as runs of suites are compared; equal transcripts of a target count once.',
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
  summary: 'Read what was explained of a wave',
  description: '404 where nobody asked; details.reason tells that from a wave that is not there.',
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
  summary: 'Have explained what was found in a wave',
  description:
    'What is there, or on its way, stands unless force asks again. Counts against insightsPerDay. 409 with details.reason WAVE_NOT_TERMINAL while the wave goes on; 422 where the operator has switched insights off.',
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
  summary: 'Stop explaining a wave',
  description: 'While it is pending; else 409 with details.reason NOT_PENDING.',
  access: 'member',
  feature: 'swarms',
  status: 200,
  output: waves.WaveInsightsCanceled,
  refusals: ['CONFLICT'],
});
