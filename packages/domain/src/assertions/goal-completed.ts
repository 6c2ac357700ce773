import * as z from 'zod';
import { assertionKind, assertionSchema, unanswered } from './assertion-kind.ts';

/** A judge says how far the outcome was reached. It is asked elsewhere: no rule answers it. */
export const goalCompleted = assertionKind({
  schema: assertionSchema('goalCompleted', {
    outcome: z.string().min(1).max(2000),
    judgeModel: z.string().trim().min(1).max(200).optional(),
    threshold: z.number().min(0).max(1).optional(),
    votes: z.union([z.literal(1), z.literal(3), z.literal(5)]).optional(),
  }),
  evaluate: () => unanswered('The judge was not asked.'),
});
