/** Expected and actual spending of runs. One credit is one US cent at the operator's prices. */
import { modelAskedInReplay, modelCosts } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Credits = z.number().min(0);

const used = {
  credits: Credits,
  priced: z.boolean().meta({
    description: 'false: no price was known for some of it, so it cost more than credits says.',
  }),
  inputTokens: z.int(),
  outputTokens: z.int(),
};

export const EvalRunSpending = z
  .object({
    ...used,
    judges: z
      .object(used)
      .optional()
      .meta({ description: 'What of it judges used; absent where none was asked.' }),
  })
  .meta({
    id: 'EvalRunSpending',
    description:
      'An addition of Proofmark beyond the specification: what the trials and judges of a run that has ended used, or those of one trial so far. Of a run that is read by itself, and of every trial.',
  });

const estimated = {
  model: z.string(),
  trials: z.int(),
  cost: z.enum(modelCosts).meta({
    description:
      'free: it costs nothing. unpriced: no price is stated. ownKey: it runs on a key that is sent with the launch, which is not counted here.',
  }),
  creditsPerTrial: Credits.nullable().meta({
    description:
      'By what a trial of the last run of the suite used of the model, at the price of today.',
  }),
};

export const EvalRunEstimate = z
  .object({
    trials: z.int(),
    models: z.array(z.object(estimated)),
    judges: z
      .array(
        z.object({
          ...estimated,
          questions: z.int().meta({ description: 'The most it is asked; every vote is one.' }),
        }),
      )
      .meta({
        description:
          'Those that vote in trials, and the one that is asked at the end of the run; trials are those they are asked about.',
      }),
    servers: z.array(z.object({ id: Id, name: z.string() })).meta({
      description: 'The servers that the run would talk to, and no others.',
    }),
    modelAsked: z.enum(modelAskedInReplay).optional().meta({
      description:
        'Of a replay: never, where no model is asked and judges are answered from the recording; ifDiverged, where credits are the most that is used should every trial go another way; always.',
    }),
    credits: Credits.nullable().meta({
      description: 'Of all trials and judges; null where it is not known for some.',
    }),
    creditsLeft: Credits.nullable().meta({
      description: 'What the organization may still spend today; null where nothing limits it.',
    }),
  })
  .meta({ id: 'EvalRunEstimate' });
