import { DecisionSummary } from '@proofmark/domain';
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Eval runs';
const iterationPage = {
  defaultLimit: 50,
  cursorParameter: 'cursor',
  list: 'evalIterations',
} as const;

export const listEvalSuiteRuns = defineOperation({
  operationId: 'listEvalSuiteRuns',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-suites/{suiteId}/runs',
  tag,
  summary: 'List the runs of a suite',
  description: 'Newest first.',
  access: 'member',
  page: { defaultLimit: 25, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.EvalRunPage,
});

export const getEvalRun = defineOperation({
  operationId: 'getEvalRun',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}',
  tag,
  summary: 'Read a run',
  description:
    'Status, result, counts and the stored decision. Poll it until the status is terminal.',
  access: 'member',
  status: 200,
  output: shapes.EvalRun,
});

export const getEvalRunDecisionSummary = defineOperation({
  operationId: 'getEvalRunDecisionSummary',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/decision-summary',
  tag,
  summary: 'Explain the verdict of a run',
  description:
    'The verdict and its source, counts with their unit, the decision, and a page of the trials that did not pass. limit says how many trials are examined; the cursor is that of the iterations.',
  access: 'member',
  page: { ...iterationPage, inside: true },
  status: 200,
  output: DecisionSummary,
});

export const listEvalRunIterations = defineOperation({
  operationId: 'listEvalRunIterations',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations',
  tag,
  summary: 'List the trials of a run',
  description: 'In the order in which they were recorded. Traces are read one by one.',
  access: 'member',
  page: iterationPage,
  status: 200,
  output: shapes.EvalIterationPage,
});

export const getEvalIterationTrace = defineOperation({
  operationId: 'getEvalIterationTrace',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/trace',
  tag,
  summary: 'Read the trace of a trial',
  description:
    'Messages, spans and the turns with expected beside actual calls. 404 with details.reason TRACE_NOT_AVAILABLE when none was recorded.',
  access: 'member',
  status: 200,
  output: shapes.EvalIterationTrace,
});
