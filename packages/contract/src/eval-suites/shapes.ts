import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';

export const EvalSuite = z
  .object({
    id: Id,
    name: z.string(),
    projectId: Id,
    createdAt: Instant,
    updatedAt: Instant,
    latestRun: z.null().meta({ description: 'null while the suite has no run.' }),
    totals: z.object({
      passed: z.number().int(),
      failed: z.number().int(),
      runs: z.number().int(),
    }),
    passRateTrend: z.array(z.number()),
  })
  .meta({ id: 'EvalSuite' });

export const EvalSuitePage = pageOf(EvalSuite, 'EvalSuitePage');
