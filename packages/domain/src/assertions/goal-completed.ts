import * as z from 'zod';
import { assertionKind, assertionSchema, unanswered } from './assertion-kind.ts';

const fraction = z.number().min(0).max(1);

const RubricCriterion = z
  .strictObject({
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().min(1).max(2000),
    threshold: fraction.optional(),
  })
  .meta({
    id: 'EvalRubricCriterion',
    description: 'A criterion with its own score and threshold (default: 0.7).',
  });
export type RubricCriterion = z.infer<typeof RubricCriterion>;

/**
 * Holds if the outcome reaches its threshold in more than half of the judge's votes. The same must
 * hold for every criterion. Without a judge, the assertion has no answer.
 */
export const goalCompleted = assertionKind({
  stage: 'userValue',
  inTurn: 'never',
  schema: assertionSchema('goalCompleted', {
    outcome: z.string().trim().min(1).max(8000),
    criteria: z
      .array(RubricCriterion)
      .min(1)
      .max(10)
      .refine((criteria) => new Set(criteria.map(({ name }) => name)).size === criteria.length, {
        error: 'Every criterion needs a different name.',
      })
      .optional(),
    judgeModel: z.string().trim().min(1).max(200).optional(),
    threshold: fraction.optional(),
    votes: z.union([z.literal(1), z.literal(3), z.literal(5)]).optional(),
  }),
  evaluate: () => unanswered('The judge was not asked.'),
});
