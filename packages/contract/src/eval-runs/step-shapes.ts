import { stepKinds, stepStatuses } from '@proofmark/domain';
import * as z from 'zod';

const Place = z.number().int().min(0);

export const EvalIterationStep = z
  .object({
    stepId: z.string(),
    stepIndex: Place,
    kind: z.enum(stepKinds),
    status: z.enum(stepStatuses).meta({
      description: 'pending: not played yet, or an assertion that could not be evaluated.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The reason why the step failed or is open.' }),
    evidence: z
      .object({
        promptIndex: Place,
        spanIds: z.array(z.string()).meta({
          description:
            'Span ids of the trace: first the span of the step, then the spans below it.',
        }),
        messageStartIndex: Place.meta({
          description: 'The index of the first message in the trace.',
        }),
        messageEndIndex: Place.meta({
          description: 'The index of the last message in the trace, inclusive.',
        }),
        note: z.string().meta({
          description: 'A remark about a step that passed.',
        }),
      })
      .partial()
      .meta({ description: 'The place of the step in the trace; empty if there is no trace.' }),
  })
  .meta({ id: 'EvalIterationStep', description: 'One step of the case in a trial.' });

export const EvalIterationSteps = z
  .object({ items: z.array(EvalIterationStep) })
  .meta({ id: 'EvalIterationSteps', description: 'All steps, in the order of the case.' });
