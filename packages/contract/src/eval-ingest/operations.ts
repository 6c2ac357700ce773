import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const common = {
  surface: 'api',
  method: 'POST',
  tag: 'Eval ingestion',
  access: 'member',
  ingestion: true,
  status: 200,
} as const;

export const reportEvalRun = defineOperation({
  ...common,
  operationId: 'reportEvalRun',
  path: '/projects/{projectId}/eval-ingest/report',
  olderAddress: '/sdk/v1/evals/report',
  summary: 'Report a finished run',
  description:
    'Creates the run, records its results and decides it in one atomic step. Accepts an uploaded test report in place of results. If externalRunId is already known, the same content returns the existing run with reused: true, and other content is 409 with details.reason RUN_ALREADY_REPORTED.',
  body: shapes.EvalIngestReportRequest,
  output: shapes.EvalIngestReported,
  refusals: ['CONFLICT'],
});

export const startEvalIngestRun = defineOperation({
  ...common,
  operationId: 'startEvalIngestRun',
  path: '/projects/{projectId}/eval-ingest/runs/start',
  olderAddress: '/sdk/v1/evals/runs/start',
  summary: 'Start a reported run, or find one that was already started',
  description:
    'The same externalRunId in the same suite identifies the same run. 409 if the run was started with another evaluationConfigHash or with other terms, or if it has ended and the request differs from what was reported.',
  body: shapes.EvalIngestStartRequest,
  output: shapes.EvalIngestStarted,
  refusals: ['CONFLICT'],
});

export const ingestEvalRunIterations = defineOperation({
  ...common,
  operationId: 'ingestEvalRunIterations',
  path: '/projects/{projectId}/eval-ingest/runs/iterations',
  olderAddress: '/sdk/v1/evals/runs/iterations',
  summary: 'Add a batch of trials to a reported run',
  description:
    'Batches may be repeated, may overlap and may arrive in any order. A trial with a known externalIterationId and different content is 409 with details.reason ITERATION_ALREADY_REPORTED, and nothing of its batch is recorded. After finalize, only trials that are already recorded are accepted; a new trial is 409.',
  body: shapes.EvalIngestIterationsRequest,
  output: shapes.EvalIngestAppended,
  refusals: ['CONFLICT'],
});

export const finalizeEvalIngestRun = defineOperation({
  ...common,
  operationId: 'finalizeEvalIngestRun',
  path: '/projects/{projectId}/eval-ingest/runs/finalize',
  olderAddress: '/sdk/v1/evals/runs/finalize',
  summary: 'End a reported run and decide it',
  description: 'A repeated request returns the same answer.',
  body: shapes.EvalIngestFinalizeRequest,
  output: shapes.EvalIngestFinalized,
  refusals: ['CONFLICT'],
});

export const createEvalIngestUploadUrl = defineOperation({
  ...common,
  operationId: 'createEvalIngestUploadUrl',
  path: '/projects/{projectId}/eval-ingest/artifacts/upload-url',
  olderAddress: '/sdk/v1/evals/artifacts/upload-url',
  summary: 'Get a URL for the upload of a test report',
  description:
    'For JUnit XML, Jest JSON or Vitest JSON. The URL can be used once, until it expires.',
  body: shapes.EvalIngestUploadUrlRequest,
  output: shapes.EvalIngestUploadUrl,
});
