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
    'Creates the run, records its results and decides it, in one step or not at all. Takes an uploaded test report in place of results. Under a known externalRunId the same content is answered again with reused: true, other content is 409 with details.reason RUN_ALREADY_REPORTED.',
  body: shapes.EvalIngestReportRequest,
  output: shapes.EvalIngestReported,
  refusals: ['CONFLICT'],
});

export const startEvalIngestRun = defineOperation({
  ...common,
  operationId: 'startEvalIngestRun',
  path: '/projects/{projectId}/eval-ingest/runs/start',
  olderAddress: '/sdk/v1/evals/runs/start',
  summary: 'Start a run, or find the one already started',
  description:
    'The same externalRunId in the same suite is the same run. 409 when it was started under another evaluationConfigHash or under other terms, and when it has ended and anything else is said of it.',
  body: shapes.EvalIngestStartRequest,
  output: shapes.EvalIngestStarted,
  refusals: ['CONFLICT'],
});

export const ingestEvalRunIterations = defineOperation({
  ...common,
  operationId: 'ingestEvalRunIterations',
  path: '/projects/{projectId}/eval-ingest/runs/iterations',
  olderAddress: '/sdk/v1/evals/runs/iterations',
  summary: 'Add a batch of trials to a run',
  description:
    'Batches may be repeated, may overlap and may come in any order. A trial that says something else under an externalIterationId that is taken is 409 with details.reason ITERATION_ALREADY_REPORTED, and its batch is not recorded. After finalize only rows that are already there are taken; anything new is 409.',
  body: shapes.EvalIngestIterationsRequest,
  output: shapes.EvalIngestAppended,
  refusals: ['CONFLICT'],
});

export const finalizeEvalIngestRun = defineOperation({
  ...common,
  operationId: 'finalizeEvalIngestRun',
  path: '/projects/{projectId}/eval-ingest/runs/finalize',
  olderAddress: '/sdk/v1/evals/runs/finalize',
  summary: 'End a run and decide it',
  description: 'Doing it again gives the same answer.',
  body: shapes.EvalIngestFinalizeRequest,
  output: shapes.EvalIngestFinalized,
  refusals: ['CONFLICT'],
});

export const createEvalIngestUploadUrl = defineOperation({
  ...common,
  operationId: 'createEvalIngestUploadUrl',
  path: '/projects/{projectId}/eval-ingest/artifacts/upload-url',
  olderAddress: '/sdk/v1/evals/artifacts/upload-url',
  summary: 'Get a URL to upload a test report to',
  description: 'For JUnit XML, Jest JSON or Vitest JSON. The URL works once and expires.',
  body: shapes.EvalIngestUploadUrlRequest,
  output: shapes.EvalIngestUploadUrl,
});
