import { AllowWrites, caseBuckets, ModelChoice } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';
import { IdempotencyKey } from '../idempotency-key.ts';
import { EvalCase } from './case-shapes.ts';

const Bucket = z.int().min(0).max(10);
type Buckets = Record<(typeof caseBuckets)[number], z.ZodInt>;

export const EvalCaseGenerateRequest = z
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

export const EvalCaseGenerated = z
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
