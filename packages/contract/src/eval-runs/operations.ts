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
    'The verdict and its source, counts with their unit, the decision, and a page of the trials that did not pass. limit says how many trials are examined; the cursor is that of the iterations.',
  access: 'member',
  page: {
    ...iterationPage,
    inside: true,
    counts: 'How many rows are examined, listed or not.',
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
    'In the order in which they were recorded. Traces are read one by one. result, caseId, stage, model and text pick some of them, an addition of Proofmark beyond the specification; what a filter picks while the run goes on is what had ended by then.',
  access: 'member',
  query: z.strictObject({
    result: z.enum(trialResultFilters).optional().meta({
      description:
        'failed: only trials that failed. notPassed: also those that were stopped or could not be graded. notGraded: only the latter. passed: only those that passed.',
    }),
    caseId: Id.optional().meta({
      description: 'Only trials of this case: its id, or the id its author declared.',
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
        'Only trials with this text in their title, in the first 2,000 characters of their error, or in the calls they made. Letters of ASCII match whatever their case.',
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
  description: 'As the list of the trials shows it.',
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
    'Messages, spans and the turns with expected beside actual calls. 404 with details.reason TRACE_NOT_AVAILABLE when none was recorded.',
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
    'As its servers listed them when it began, with the hash by which two trials are known to have seen the same. 404 with details.reason TOOLS_NOT_AVAILABLE when there was no list: a server could not be opened, or the trial was reported from outside.',
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
  summary: 'Read what became of the steps of a trial',
  description:
    'All authored steps in order, on one page. A trial that was reported from outside has none; without a trace the evidence of a step is empty.',
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
    'Of a saved suite, or of a suite made from the tests that are sent, which needs a key of full scope. The run goes on by itself: poll it until its status is terminal. 409 when the environment changed in between; 429 with details.reason CONCURRENT_RUN_LIMIT while the organization has as many open runs as it may.',
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
  summary: 'Run again what failed',
  description:
    'Launches a run of the case variants of an ended run that have such a trial, with all their repetitions: the suite as it is now, on the servers or in the environment of that run, and with what its launch said beyond the suite. What the suite no longer has is told in warnings. 409 with details.reason NOTHING_TO_RERUN where nothing is left to run, RUN_NOT_ENDED while the run goes on, RUN_REPORTED for one that was reported from outside. Otherwise as a launch.',
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
  summary: 'Tell what a run would use',
  description:
    'An addition of Proofmark beyond the specification. How many trials on which models a launch of the suite would begin, what they are likely to cost and what is left of today. Refused as the launch would be.',
  access: 'member',
  query: z.strictObject({
    environmentId: Id.optional(),
    iterationOverride: z
      .string()
      .regex(/^([1-9]\d?|100)$/, 'Give a number from 1 to 100.')
      .optional(),
    keyedProviders: z.string().min(1).max(1000).optional().meta({
      description: 'Providers for which a key will be sent with the launch, with commas between.',
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
    'An addition of Proofmark beyond the specification. With its trials and traces. Whoever made it may, and everybody with manage; not while it goes on.',
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
    'Trials that have ended stay as they are; the others end as cancelled. A run that is reported from outside takes nothing more and stays undecided. A run that is cancelled already answers the same again; one that ended otherwise gives 409.',
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
    'With the run that baseRunId names, else with the last completed run of the suite before it. 404 with details.reason BASELINE_NOT_FOUND when there is none.',
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
  summary: 'Tell what a run was given otherwise than an earlier one',
  description:
    'What servers listed, what cases say and how they are judged, beside the run that compareEvalRun compares with. Lists are cut; their totals are not.',
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
  summary: 'Tell how sure a run is',
  description:
    'An addition of Proofmark beyond the specification. Of each case variant: the interval of its pass rate, pass^k for the k that is asked for, what its history over several runs says, and how it came out over the last runs of the suite that were offered the same tools. Only trials that were graded count. It decides nothing.',
  access: 'member',
  query: z.strictObject({
    k: z
      .string()
      .regex(/^([1-9]\d?|100)$/, 'Give a number from 1 to 100.')
      .optional()
      .meta({ description: 'For pass^k: how many trials in a row are to pass.' }),
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
  summary: 'Tell where a run breaks',
  description:
    'An addition of Proofmark beyond the specification. The case variants of a run by the six stages: how many trials first failed at each. Counted over all trials that have been recorded so far.',
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
    'An addition of Proofmark beyond the specification. To who accepts `text/event-stream` it tells of the run whenever it changes, until it has ended or a minute is over: events of `{"progress":…}`, and `{"result":…}` as the last. Others are told at once how far it is.',
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
  summary: 'Ask a judge about a run',
  description:
    'By the settings the run was launched with, or by those sent with enable. The run must have ended and have been launched here. Where the judge has answered, that stands unless force asks again; read judges of the run.',
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
  summary: 'Have explained what was found in a run',
  description:
    'Detectors count what failed in the trials of a run that has ended, and a narrator explains it; read insights of the run. What is there, or on its way, stands unless force asks again. Counts against insightsPerDay. 409 with details.reason RUN_NOT_TERMINAL while the run goes on; 422 where the operator has switched insights off.',
  access: 'member',
  effect: 'runs',
  body: EvalRunInsightsRequest,
  status: 202,
  output: EvalRunInsightsRequested,
  refusals: ['CONFLICT', 'FEATURE_NOT_SUPPORTED'],
});
