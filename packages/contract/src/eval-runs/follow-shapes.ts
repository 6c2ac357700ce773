import * as z from 'zod';
import { Id } from '../fields.ts';
import { runStatuses } from './shapes.ts';

export const EvalRunMark = z
  .object({
    runId: Id,
    status: z.enum(runStatuses).meta({ description: 'Lifecycle, not a verdict.' }),
    iterationCount: z.int().min(0).meta({ description: 'The number of trials recorded so far.' }),
    revision: z.int().min(0).meta({ description: 'Changes whenever the run changes.' }),
  })
  .meta({ id: 'EvalRunMark' });
