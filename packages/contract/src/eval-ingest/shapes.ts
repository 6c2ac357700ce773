/**
 * Bodies that reporters send. Unknown fields are ignored and known ones are validated. The service
 * passes on the body as received, so no schema here may transform a value.
 */
import { reportFormats, skippedRules, taskVerdicts, trialStatuses } from '@proofmark/domain';
import * as z from 'zod';
import { EvalRunCounts, runStatuses } from '../eval-runs/shapes.ts';
import { Id, Instant } from '../fields.ts';

const Text = z.string().max(10_000);
const Label = z.string().max(1000);
const Fraction = z.number().min(0).max(1);
const ExternalId = z.string().min(1).max(256);
const NotBlank = z.string().regex(/\S/, 'This must not be blank.');
const Open = z.record(z.string(), z.unknown());

export const EvalIngestResult = z
  .looseObject({
    caseTitle: NotBlank.max(1000),
    passed: z.boolean().optional(),
    status: z.enum(trialStatuses).optional().meta({
      description: 'Default: completed. A trial with another status has no result.',
    }),
    evaluatorError: z
      .boolean()
      .optional()
      .meta({ description: 'True if the grader itself failed.' }),
    query: z.string().optional(),
    startedAt: Instant.min(0).optional(),
    durationMs: z.number().min(0).optional(),
    provider: z.string().max(200).optional(),
    model: z.string().max(200).optional(),
    expectedToolCalls: z.array(Open).optional(),
    actualToolCalls: z.array(Open).optional(),
    tokens: z
      .looseObject({
        input: z.number().min(0).optional(),
        output: z.number().min(0).optional(),
        total: z.number().min(0).optional(),
      })
      .optional(),
    error: z.string().optional(),
    trace: z.union([z.string(), z.array(z.unknown()), Open]).optional(),
    externalIterationId: ExternalId.optional().meta({
      description:
        'Identifies the trial in its run. A trial that is reported again under the same id is recorded once; 409 if its content differs.',
    }),
    externalCaseId: z.string().max(256).optional(),
    caseId: z.string().max(128).optional(),
    metadata: Open.optional().meta({
      description:
        'May contain predicates, scores, evaluationConfig, a stage chain and iterationNumber.',
    }),
    isNegativeTest: z.boolean().optional(),
    expectedOutput: z.string().optional(),
    advancedConfig: Open.optional(),
    matchOptions: Open.optional(),
  })
  .refine(
    (result) =>
      result.passed !== undefined ||
      (result.status ?? 'completed') !== 'completed' ||
      result.evaluatorError === true,
    {
      path: ['passed'],
      message: 'passed is missing; send true or false.',
    },
  )
  .refine(({ caseId, externalCaseId }) => !caseId || !externalCaseId || caseId === externalCaseId, {
    path: ['externalCaseId'],
    message: 'caseId and externalCaseId must be equal if both are given.',
  })
  .meta({ id: 'EvalIngestResult', description: 'One finished trial.' });

const Results = z.array(EvalIngestResult).min(1).max(10_000);

const run = {
  suiteName: NotBlank.max(200),
  suiteDescription: Text.optional(),
  serverNames: z.array(Label).max(100).optional(),
  serverReplayConfigs: z
    .array(z.looseObject({ serverId: Label }))
    .max(100)
    .optional()
    .meta({
      description: 'Only the ids are stored. Tokens and secrets are discarded.',
    }),
  notes: Text.optional(),
  passCriteria: z
    .looseObject({ minimumPassRate: z.number().min(0).max(100).optional() })
    .optional()
    .meta({
      description:
        'minimumPassRate is a percentage of all trials. Without verdictPolicy it makes the run a legacy run.',
    }),
  verdictPolicy: z
    .strictObject({
      minEligibleTrials: z.int().min(1).optional(),
      minCompletionRate: Fraction.optional(),
      maxEvaluatorErrorRate: Fraction.optional(),
      passThreshold: Fraction.optional().meta({
        description: 'The threshold of every case (default: 1).',
      }),
    })
    .optional()
    .meta({
      description:
        'Verdict policy v2 with fractions from 0 to 1. It decides the run even if minimumPassRate is also stated.',
    }),
  skipped: z.enum(skippedRules).optional().meta({
    description:
      'An addition of Proofmark beyond the specification: how a skipped test counts. ignore: it is excluded from the decision; fail: it counts as failed; inconclusive: the run has no verdict if skipped tests could change it. Default: policy v2 makes a run with a skipped trial inconclusive, and a percentage is taken of all trials. It has no effect on a suite that states how its runs are decided.',
  }),
  externalRunId: ExternalId.optional().meta({
    description:
      'Identifies the run in its project and suite: a repeated report with the same content returns the same run, and other content is 409. Without it, every request creates a new run.',
  }),
  framework: Label.optional(),
  ci: Open.optional(),
  expectedIterations: z.int().min(0).max(10_000_000).optional(),
  tags: z.array(Label).max(100).optional(),
  evaluationConfigHash: Label.optional(),
  hostConfig: Open.optional(),
  hostConfigHash: Label.optional(),
};

export const EvalIngestStartRequest = z
  .looseObject(run)
  .refine(bothOrNeither, bothOrNeitherMessage())
  .meta({ id: 'EvalIngestStartRequest' });

export const EvalIngestReportRequest = z
  .looseObject({
    ...run,
    results: Results.optional(),
    artifact: z
      .looseObject({ artifactId: Id, format: z.enum(reportFormats) })
      .optional()
      .meta({ description: 'An uploaded test report in place of results.' }),
  })
  .refine(bothOrNeither, bothOrNeitherMessage())
  .refine((body) => (body.results === undefined) !== (body.artifact === undefined), {
    path: ['results'],
    message: 'Send either results or an artifact.',
  })
  .meta({ id: 'EvalIngestReportRequest' });

export const EvalIngestIterationsRequest = z
  .looseObject({ runId: Id, results: Results })
  .refine(withoutHostConfig, hostConfigMessage())
  .meta({ id: 'EvalIngestIterationsRequest' });

export const EvalIngestFinalizeRequest = z
  .looseObject({ runId: Id, externalRunId: ExternalId.optional() })
  .refine(withoutHostConfig, hostConfigMessage())
  .meta({ id: 'EvalIngestFinalizeRequest' });

export const largestArtifactBytes = 32 * 1024 * 1024;

export const EvalIngestUploadUrlRequest = z
  .looseObject({
    format: z.enum(reportFormats).optional(),
    contentType: Label.optional(),
    sizeBytes: z.int().min(1).max(largestArtifactBytes).optional().meta({
      description: 'The uploaded file must then have exactly this size.',
    }),
  })
  .meta({ id: 'EvalIngestUploadUrlRequest' });

export const EvalIngestUploadUrl = z
  .object({
    ok: z.literal(true),
    uploadUrl: z.string().meta({
      format: 'uri',
      description: 'Send the file here with POST or PUT, once, before expiresAt. No key is needed.',
    }),
    artifactId: Id,
    expiresAt: Instant,
  })
  .meta({ id: 'EvalIngestUploadUrl' });

const answered = { ok: z.literal(true), suiteId: Id, runId: Id, projectId: Id };
const decided = {
  status: z.enum(runStatuses),
  result: z
    .enum(taskVerdicts)
    .nullable()
    .meta({ description: 'null if the run has no verdict or is inconclusive.' }),
  why: z.string().optional().meta({
    description:
      'An addition of Proofmark beyond the specification: the reason why an ended run has no result. It names cases by their titles.',
  }),
  summary: EvalRunCounts.nullable(),
};

export const EvalIngestStarted = z
  .object({ ...answered, reused: z.boolean(), ...decided })
  .meta({ id: 'EvalIngestStarted' });

export const EvalIngestAppended = z
  .object({
    ok: z.literal(true),
    inserted: z.number().int(),
    skipped: z
      .number()
      .int()
      .meta({ description: 'The number of trials that were already recorded under the same id.' }),
    total: z.number().int().meta({ description: 'The size of this batch: inserted plus skipped.' }),
  })
  .meta({ id: 'EvalIngestAppended' });

export const EvalIngestReported = z
  .object({
    ...answered,
    reused: z.boolean().meta({
      description: 'True if the run was already reported with the same content.',
    }),
    ...decided,
  })
  .meta({ id: 'EvalIngestReported' });

export const EvalIngestFinalized = z
  .object({ ...answered, ...decided })
  .meta({ id: 'EvalIngestFinalized' });

function bothOrNeither(body: Readonly<Record<string, unknown>>): boolean {
  return (body['hostConfig'] === undefined) === (body['hostConfigHash'] === undefined);
}

function bothOrNeitherMessage() {
  return { path: ['hostConfigHash'], message: 'Send hostConfig and hostConfigHash, or neither.' };
}

function withoutHostConfig(body: Readonly<Record<string, unknown>>): boolean {
  return body['hostConfig'] === undefined && body['hostConfigHash'] === undefined;
}

function hostConfigMessage() {
  return { path: ['hostConfig'], message: 'hostConfig can be sent only when the run is started.' };
}
