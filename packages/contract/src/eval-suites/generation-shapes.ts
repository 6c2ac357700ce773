import { caseBuckets, ModelChoice } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';
import { IdempotencyKey } from '../idempotency-key.ts';
import { EvalCase } from './case-shapes.ts';

const Bucket = z.int().min(0).max(10);

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
      .strictObject(
        Object.fromEntries(caseBuckets.map((bucket) => [bucket, Bucket])) as Record<
          (typeof caseBuckets)[number],
          typeof Bucket
        >,
      )
      .partial()
      .optional()
      .meta({
        description: 'How many of each kind, at most 25 in all. Only zeros count as absent.',
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
    skipped: z
      .array(z.object({ title: z.string(), error: z.string() }))
      .meta({ description: 'Drafts that could not be stored, with why.' }),
  })
  .meta({ id: 'EvalCaseGenerated' });
