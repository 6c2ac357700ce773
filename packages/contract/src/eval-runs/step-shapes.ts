import { stepKinds, stepStatuses } from '@proofmark/domain';
import * as z from 'zod';

const Place = z.number().int().min(0);

export const EvalIterationStep = z
  .object({
    stepId: z.string(),
    stepIndex: Place,
    kind: z.enum(stepKinds),
    status: z.enum(stepStatuses).meta({
      description: 'pending: not played yet, or an assertion that could not be answered.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it did not end well.' }),
    evidence: z
      .object({
        promptIndex: Place,
        spanIds: z.array(z.string()).meta({
          description: 'Spans of the trace: that of the step first, then those below it.',
        }),
        messageStartIndex: Place.meta({ description: 'In the messages of the trace, inclusive.' }),
        messageEndIndex: Place.meta({ description: 'In the messages of the trace, inclusive.' }),
        note: z.string().meta({
          description: 'Something to know about a step that ended well.',
        }),
      })
      .partial()
      .meta({ description: 'Where the trace shows it; empty without a trace.' }),
  })
  .meta({ id: 'EvalIterationStep', description: 'One authored step of a trial.' });

export const EvalIterationSteps = z
  .object({ items: z.array(EvalIterationStep) })
  .meta({ id: 'EvalIterationSteps', description: 'All steps, in the order of the case.' });
