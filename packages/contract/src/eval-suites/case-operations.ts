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
      .meta({ description: 'Ids or names; the saved servers of the suite when left out.' }),
    environmentId: Id.optional().meta({ description: 'One that is attached to the suite.' }),
    caseModels: z.array(ModelChoice).max(20).optional(),
    caseMix: z
      .strictObject(Object.fromEntries(caseBuckets.map((bucket) => [bucket, Bucket])) as Buckets)
      .partial()
      .optional()
      .meta({
        description:
          'How many of each kind, at most 10 of a kind and 25 in all. A kind that is left out takes its default (simple 3, multiTool 1, multiTurn 1, complex 0, negative 1); name it with 0 for none. Only zeros count as absent.',
      }),
    varyUserStyles: z.boolean().optional(),
    idempotencyKey: IdempotencyKey.optional().meta({ description: 'The header wins.' }),
  })
  .meta({ id: 'EvalCaseGenerateRequest' });

const EvalCaseGenerated = z
  .object({
    generationModel: z.string().meta({ description: 'Who drafted the cases.' }),
    created: z.array(EvalCase),
    counts: z.object({ normal: z.int(), negative: z.int() }),
    skipped: z.array(z.object({ title: z.string(), error: z.string() })).meta({
      description:
        'Drafts that were not stored, with why; and of each kind that caseMix names and of which fewer could be drafted, how many those were. Its title is the kind.',
    }),
    mix: z
      .object(Object.fromEntries(caseBuckets.map((bucket) => [bucket, z.int()])) as Buckets)
      .meta({ description: 'How many of each kind were to be drafted, defaults included.' }),
    allowWrites: AllowWrites.optional().meta({
      description:
        'The policy of the suite, which this call states where the suite stated none: of the tools held for writing, its runs call only these, and every other is refused. Tools that cases of its own call or expect are among them.',
    }),
    leftOut: z
      .array(z.object({ serverName: z.string(), toolName: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'Tools that no case was drafted for, each with why.' }),
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
  description: 'In their order. Cases that only reports know are not among them.',
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
  description: '409 when the suite has a case of this id, or 500 cases.',
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
  description: 'Each case for itself: those that cannot be added are listed in failed, with why.',
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
    'Connects to the servers, drafts cases for their tools and stores them. With an idempotency key a retry stores the same cases and spends nothing.',
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
  description: 'As it was authored.',
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
  description: 'Its declared id stays.',
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
  description: 'Its trials stay with their runs.',
  access: 'member',
  status: 200,
  output: EvalDeleted,
});
