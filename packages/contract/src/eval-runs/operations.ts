import { DecisionSummary, stages, trialResultFilters } from '@proofmark/domain';
import * as z from 'zod';
import { EvalDeleted } from '../eval-suites/authoring-shapes.ts';
import { largestRowsBytes } from '../eval-suites/case-shapes.ts';
import { Id } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { EvalRunCompare } from './compare-shapes.ts';
import { EvalRunDifferences } from './difference-shapes.ts';
import { EvalRunMark } from './follow-shapes.ts';
import { EvalRunInsightsRequest, EvalRunInsightsRequested } from './insights-shapes.ts';
import { EvalRunJudgeRequest, EvalRunJudgeRequested } from './judge-shapes.ts';
import { EvalRunCreated, EvalRunCreateRequest, EvalRunRerunRequest } from './launch-shapes.ts';
import { ReplayToEstimate } from './replay-shapes.ts';
import * as shapes from './shapes.ts';
import { EvalRunEstimate } from './spending-shapes.ts';
import { EvalRunStages } from './stage-shapes.ts';
import { EvalRunStatistics } from './statistics-shapes.ts';
import { EvalIterationSteps } from './step-shapes.ts';
import { EvalIterationTools } from './tool-shapes.ts';

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
    'The verdict and its source, the counts with their unit, the decision, and a page of the trials that did not pass. limit is the number of trials to examine; cursors are those of listEvalRunIterations.',
  access: 'member',
  page: {
    ...iterationPage,
    inside: true,
    counts: 'The number of trials to examine, including those that are not listed.',
  },
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
  description:
    'In the order of recording. Traces are read one at a time. The filters result, caseId, stage, model and text are an addition of Proofmark beyond the specification; while the run is in progress, a filter sees only trials that have ended.',
  access: 'member',
  query: z.strictObject({
    result: z.enum(trialResultFilters).optional().meta({
      description:
        'failed: only failed trials. notPassed: failed trials, and trials that were stopped or could not be graded. notGraded: only trials that were stopped or could not be graded. passed: only passed trials.',
    }),
    caseId: Id.optional().meta({
      description: 'Only trials of this case, given by its id or its declared id.',
    }),
    stage: z.enum(stages).optional().meta({
      description: 'Only trials that did not pass and first failed at this stage.',
    }),
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Only trials on this model.' }),
    text: z.string().min(1).max(200).optional().meta({
      description:
        'Only trials with this text in their title, in the first 2,000 characters of their error, or in their calls. Case is ignored for ASCII letters.',
    }),
  }),
  page: iterationPage,
  status: 200,
  output: shapes.EvalIterationPage,
});

export const getEvalIteration = defineOperation({
  operationId: 'getEvalIteration',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}',
  tag,
  summary: 'Read a trial',
  description: 'The same data as in the list, with the whole error.',
  access: 'member',
  status: 200,
  output: shapes.EvalIteration,
});

export const getEvalIterationTrace = defineOperation({
  operationId: 'getEvalIterationTrace',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/trace',
  tag,
  summary: 'Read the trace of a trial',
  description:
    'Messages, spans, and the expected and actual calls of each turn. 404 with details.reason TRACE_NOT_AVAILABLE if no trace was recorded.',
  access: 'member',
  status: 200,
  output: shapes.EvalIterationTrace,
});

export const getEvalIterationTools = defineOperation({
  operationId: 'getEvalIterationTools',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/tools',
  tag,
  summary: 'Read the tools a trial was offered',
  description:
    'The tools as the servers listed them when the trial began, with a hash that is equal for equal lists. 404 with details.reason TOOLS_NOT_AVAILABLE if there is no list: a server could not be opened, or the trial was reported from outside.',
  access: 'member',
  status: 200,
  output: EvalIterationTools,
});

export const getEvalRunSteps = defineOperation({
  operationId: 'getEvalRunSteps',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/iterations/{iterationId}/steps',
  tag,
  summary: 'Read the results of the steps of a trial',
  description:
    'All steps of the case in order, on one page. A trial that was reported from outside has none; without a trace the evidence of a step is empty.',
  access: 'member',
  status: 200,
  output: EvalIterationSteps,
});

export const createEvalRun = defineOperation({
  operationId: 'createEvalRun',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/eval-runs',
  tag,
  summary: 'Launch a run',
  description:
    'Runs a saved suite, or a suite created from the tests in the request, which needs a key with full scope. The run continues on its own: poll it until its status is terminal. 409 if the environment changed during the launch; 429 with details.reason CONCURRENT_RUN_LIMIT if the organization has reached its limit of open runs.',
  access: 'member',
  effect: 'runs',
  body: EvalRunCreateRequest,
  largestBodyBytes: 1_000_000 + largestRowsBytes,
  idempotent: true,
  slow: true,
  status: 202,
  output: EvalRunCreated,
  refusals: ['CONFLICT'],
});

export const rerunEvalRun = defineOperation({
  operationId: 'rerunEvalRun',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/eval-runs/{runId}/rerun',
  tag,
  summary: 'Rerun the failed case variants of a run',
  description:
    'Launches a run of the case variants of an ended run that have a trial of the given scope, with all their repetitions. It uses the current suite, the servers or the environment of that run, and the other options of its launch. warnings names the case variants that the suite no longer has. 409 with details.reason NOTHING_TO_RERUN if no case variant is left to run, RUN_NOT_ENDED while the run is in progress, RUN_REPORTED if it was reported from outside. Otherwise like a launch.',
  access: 'member',
  effect: 'runs',
  body: EvalRunRerunRequest,
  idempotent: true,
  slow: true,
  status: 202,
  output: EvalRunCreated,
  refusals: ['CONFLICT'],
});

export const estimateEvalRun = defineOperation({
  operationId: 'estimateEvalRun',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-suites/{suiteId}/run-estimate',
  tag,
  summary: 'Estimate the cost of a run',
  description:
    'An addition of Proofmark beyond the specification. The number of trials on each model that a launch would start, their likely cost, and the credits left today. Fails with the same errors as the launch.',
  access: 'member',
  query: z.strictObject({
    environmentId: Id.optional(),
    iterationOverride: z
      .string()
      .regex(/^([1-9]\d?|100)$/, 'Give a number from 1 to 100.')
      .optional(),
    keyedProviders: z.string().min(1).max(1000).optional().meta({
      description: 'Providers whose keys will be sent with the launch, separated by commas.',
    }),
    ...ReplayToEstimate.shape,
  }),
  status: 200,
  output: EvalRunEstimate,
  refusals: ['CONFLICT'],
});

export const deleteEvalRun = defineOperation({
  operationId: 'deleteEvalRun',
  surface: 'api',
  method: 'DELETE',
  path: '/projects/{projectId}/eval-runs/{runId}',
  tag,
  summary: 'Delete a run',
  description:
    'An addition of Proofmark beyond the specification. Deletes the run with its trials and traces. Allowed for the creator of the run and for members with manage; not while the run is in progress.',
  access: 'member',
  slow: true,
  status: 200,
  output: EvalDeleted,
  refusals: ['CONFLICT'],
});

export const cancelEvalRun = defineOperation({
  operationId: 'cancelEvalRun',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/eval-runs/{runId}/cancel',
  tag,
  summary: 'Cancel a run',
  description:
    'Trials that have ended keep their results; the others end as cancelled. A reported run accepts no more results and stays undecided. Cancelling a cancelled run returns the same answer; a run that ended otherwise is 409.',
  access: 'member',
  effect: 'runs',
  slow: true,
  status: 200,
  output: shapes.EvalRun,
  refusals: ['CONFLICT'],
});

export const compareEvalRun = defineOperation({
  operationId: 'compareEvalRun',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/compare',
  tag,
  summary: 'Compare a run with an earlier one',
  description:
    'Compares with the run in baseRunId, or else with the last completed run of the suite before it. 404 with details.reason BASELINE_NOT_FOUND if there is none.',
  access: 'member',
  query: z.strictObject({
    baseRunId: Id.optional().meta({ description: 'A run of the same suite.' }),
  }),
  status: 200,
  output: EvalRunCompare,
});

export const getEvalRunDifferences = defineOperation({
  operationId: 'getEvalRunDifferences',
  surface: 'console',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/differences',
  tag,
  summary: 'Compare the inputs of a run with those of an earlier one',
  description:
    'The listed tools, the cases and their judging in this run and in the run that compareEvalRun compares with. Long lists are cut; the totals count everything.',
  access: 'member',
  query: z.strictObject({
    baseRunId: Id.optional().meta({ description: 'A run of the same suite.' }),
  }),
  status: 200,
  output: EvalRunDifferences,
});

export const getEvalRunStatistics = defineOperation({
  operationId: 'getEvalRunStatistics',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/statistics',
  tag,
  summary: 'Read the statistics of a run',
  description:
    'An addition of Proofmark beyond the specification. For each case variant: the interval of its pass rate, pass^k for the requested k, its history over several runs, and its results in the last runs of the suite with the same tools. Only graded trials count. The statistics decide nothing.',
  access: 'member',
  query: z.strictObject({
    k: z
      .string()
      .regex(/^([1-9]\d?|100)$/, 'Give a number from 1 to 100.')
      .optional()
      .meta({ description: 'The k of pass^k: the number of trials that all have to pass.' }),
  }),
  status: 200,
  output: EvalRunStatistics,
});

export const getEvalRunStages = defineOperation({
  operationId: 'getEvalRunStages',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/stages',
  tag,
  summary: 'Count the failures of a run by stage',
  description:
    'An addition of Proofmark beyond the specification. For each case variant and each of the six stages: the number of trials that first failed there, over all trials recorded so far.',
  access: 'member',
  status: 200,
  output: EvalRunStages,
});

export const followEvalRun = defineOperation({
  operationId: 'followEvalRun',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/eval-runs/{runId}/events',
  tag,
  summary: 'Follow a run',
  description:
    'An addition of Proofmark beyond the specification. For callers that accept `text/event-stream`, it sends an event whenever the run changes, until the run ends or a minute has passed: events `{"progress":…}`, and `{"result":…}` as the last one. Other callers get the current progress at once.',
  access: 'member',
  streams: true,
  follows: true,
  status: 200,
  output: EvalRunMark,
});

export const requestEvalRunJudge = defineOperation({
  operationId: 'requestEvalRunJudge',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/eval-runs/{runId}/judge',
  tag,
  summary: 'Ask a judge to score a run',
  description:
    'Uses the judge settings of the launch, or those in enable. The run must have ended and must have been launched here. If the judge has already answered, its answer is kept unless force is true. The result is in the field judges of the run.',
  access: 'member',
  effect: 'runs',
  body: EvalRunJudgeRequest,
  status: 202,
  output: EvalRunJudgeRequested,
  refusals: ['CONFLICT'],
});

export const requestEvalRunInsights = defineOperation({
  operationId: 'requestEvalRunInsights',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/eval-runs/{runId}/insights',
  tag,
  summary: 'Request explanations of the findings of a run',
  description:
    'Detectors count the failures in the trials of an ended run, and a narrator explains them. The result is in the field insights of the run. An existing or pending explanation is kept unless force is true. Counts against insightsPerDay. 409 with details.reason RUN_NOT_TERMINAL while the run is in progress; 422 if the operator has switched insights off.',
  access: 'member',
  effect: 'runs',
  body: EvalRunInsightsRequest,
  status: 202,
  output: EvalRunInsightsRequested,
  refusals: ['CONFLICT', 'FEATURE_NOT_SUPPORTED'],
});
