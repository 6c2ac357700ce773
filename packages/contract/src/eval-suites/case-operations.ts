import { AllowWrites, caseBuckets, ModelChoice } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';
import { IdempotencyKey } from '../idempotency-key.ts';
import { defineOperation } from '../operation.ts';
import { EvalDeleted } from './authoring-shapes.ts';
import * as shapes from './case-shapes.ts';
import { EvalCase } from './case-shapes.ts';

const Bucket = z.int().min(0).max(10);

type Buckets = Record<(typeof caseBuckets)[number], z.ZodInt>;

const EvalCaseGenerateRequest = z
  .strictObject({
    mode: z.enum(['normal', 'negative']).default('normal'),
    servers: z
      .array(z.string().min(1).max(200))
      .max(100)
      .optional()
      .meta({ description: 'Ids or names (default: the saved servers of the suite).' }),
    environmentId: Id.optional().meta({
      description: 'An environment that is attached to the suite.',
    }),
    caseModels: z.array(ModelChoice).max(20).optional(),
    caseMix: z
      .strictObject(Object.fromEntries(caseBuckets.map((bucket) => [bucket, Bucket])) as Buckets)
      .partial()
      .optional()
      .meta({
        description:
          'The number of cases of each kind, at most 10 of a kind and 25 in all. An omitted kind gets its default (simple 3, multiTool 1, multiTurn 1, complex 0, negative 1); send 0 for none. A mix of zeros only counts as absent.',
      }),
    varyUserStyles: z.boolean().optional(),
    idempotencyKey: IdempotencyKey.optional().meta({ description: 'The header takes precedence.' }),
  })
  .meta({ id: 'EvalCaseGenerateRequest' });

const EvalCaseGenerated = z
  .object({
    generationModel: z.string().meta({ description: 'The model that drafted the cases.' }),
    created: z.array(EvalCase),
    counts: z.object({ normal: z.int(), negative: z.int() }),
    skipped: z.array(z.object({ title: z.string(), error: z.string() })).meta({
      description:
        'Drafts that were not stored, each with the reason. Also, for each kind of caseMix of which too few cases could be drafted, an entry with the missing number and the kind as its title.',
    }),
    mix: z
      .object(Object.fromEntries(caseBuckets.map((bucket) => [bucket, z.int()])) as Buckets)
      .meta({ description: 'The requested number of cases of each kind, including defaults.' }),
    allowWrites: AllowWrites.optional().meta({
      description:
        'The policy of the suite: the only tools held for writing that its runs may call. This request sets it if the suite had none, including the tools that cases of the suite already call or expect.',
    }),
    leftOut: z
      .array(z.object({ serverName: z.string(), toolName: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'Tools for which no case was drafted, each with the reason.' }),
  })
  .meta({ id: 'EvalCaseGenerated' });

const tag = 'Eval suites';
const path = '/projects/{projectId}/eval-suites/{suiteId}/cases';

export const listEvalCases = defineOperation({
  operationId: 'listEvalCases',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the cases of a suite',
  description: 'In their order, without cases that exist only in reports.',
  access: 'member',
  page: { defaultLimit: 100, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.EvalCasePage,
});

export const createEvalCase = defineOperation({
  operationId: 'createEvalCase',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Add a case to a suite',
  description: '409 if the suite already has a case with this id, or 500 cases.',
  access: 'member',
  body: shapes.EvalCaseCreateRequest,
  largestBodyBytes: 1_000_000 + shapes.largestRowsBytes,
  slow: true,
  status: 201,
  output: shapes.EvalCaseWritten,
  refusals: ['CONFLICT'],
});

export const createEvalCases = defineOperation({
  operationId: 'createEvalCases',
  surface: 'api',
  method: 'POST',
  path: `${path}/batch`,
  tag,
  summary: 'Add several cases to a suite',
  description:
    'Each case is added separately; failed lists the cases that could not be added, with the reasons.',
  access: 'member',
  body: shapes.EvalCasesBatchCreateRequest,
  largestBodyBytes: 1_000_000 + shapes.largestRowsBytes,
  slow: true,
  idempotent: true,
  status: 201,
  output: shapes.EvalCasesBatchResult,
});

export const generateEvalCases = defineOperation({
  operationId: 'generateEvalCases',
  surface: 'api',
  method: 'POST',
  path: `${path}/generate`,
  tag,
  summary: 'Draft cases from the tools of servers and add them to a suite',
  description:
    'Connects to the servers, drafts cases for their tools and stores them. A retry with the same idempotency key returns the same cases and costs nothing.',
  access: 'member',
  body: EvalCaseGenerateRequest,
  idempotent: true,
  outbound: true,
  status: 200,
  output: EvalCaseGenerated,
  refusals: [
    'CONFLICT',
    'FEATURE_NOT_SUPPORTED',
    'OAUTH_REQUIRED',
    'SERVER_UNREACHABLE',
    'TIMEOUT',
  ],
});

export const getEvalCase = defineOperation({
  operationId: 'getEvalCase',
  surface: 'api',
  method: 'GET',
  path: `${path}/{caseId}`,
  tag,
  summary: 'Read a case',
  description: 'The case as its author wrote it.',
  access: 'member',
  status: 200,
  output: shapes.EvalCase,
});

export const updateEvalCase = defineOperation({
  operationId: 'updateEvalCase',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{caseId}`,
  tag,
  summary: 'Edit a case',
  description: 'The declared id cannot be changed.',
  access: 'member',
  body: shapes.EvalCaseUpdateRequest,
  largestBodyBytes: 1_000_000 + shapes.largestRowsBytes,
  slow: true,
  status: 200,
  output: shapes.EvalCaseWritten,
  refusals: ['CONFLICT'],
});

export const deleteEvalCase = defineOperation({
  operationId: 'deleteEvalCase',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{caseId}`,
  tag,
  summary: 'Delete a case',
  description: 'The trials of the case remain in their runs.',
  access: 'member',
  status: 200,
  output: EvalDeleted,
});
