import * as z from 'zod';
import { Id } from '../fields.ts';
import { runStatuses } from './shapes.ts';

export const EvalRunMark = z
  .object({
    runId: Id,
    status: z.enum(runStatuses).meta({ description: 'Lifecycle, not a verdict.' }),
    iterationCount: z.int().min(0).meta({ description: 'Trials that have been recorded so far.' }),
    revision: z
      .int()
      .min(0)
      .meta({ description: 'Another number whenever something of the run has changed.' }),
  })
  .meta({ id: 'EvalRunMark' });
