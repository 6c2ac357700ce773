/** Expected and actual spending of runs. One credit is one US cent at the operator's prices. */
import { modelAskedInReplay, modelCosts } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Credits = z.number().min(0);

const used = {
  credits: Credits,
  priced: z.boolean().meta({
    description:
      'false if a part has no known price, so that the real cost is higher than credits.',
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
      .meta({ description: 'The part that judges used; absent if no judge was asked.' }),
  })
  .meta({
    id: 'EvalRunSpending',
    description:
      'An addition of Proofmark beyond the specification: the use of models by the trials and judges of an ended run, or by one trial so far. In reads of a single run, and in every trial.',
  });

const estimated = {
  model: z.string(),
  trials: z.int(),
  cost: z.enum(modelCosts).meta({
    description:
      'free: it costs nothing. unpriced: no price is stated. ownKey: it uses a key that is sent with the launch, and its cost is not counted here.',
  }),
  creditsPerTrial: Credits.nullable().meta({
    description:
      'The use of the model by a trial of the last run of the suite, at the current price.',
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
          questions: z
            .int()
            .meta({ description: 'The highest number of questions; every vote is one question.' }),
        }),
      )
      .meta({
        description:
          'The judges that vote in trials, and the judge of the whole run; trials is the number of trials that each judges.',
      }),
    servers: z.array(z.object({ id: Id, name: z.string() })).meta({
      description: 'The complete list of servers that the run would call.',
    }),
    modelAsked: z.enum(modelAskedInReplay).optional().meta({
      description:
        'Only for a replay. never: no model is called, and judges answer from the recording; ifDiverged: models are called only for trials that diverge, and credits is the cost if all of them do; always: models are called.',
    }),
    credits: Credits.nullable().meta({
      description: 'The cost of all trials and judges; null if a part is unknown.',
    }),
    creditsLeft: Credits.nullable().meta({
      description:
        'The credits that the organization may still spend today; null if they are not limited.',
    }),
  })
  .meta({ id: 'EvalRunEstimate' });
