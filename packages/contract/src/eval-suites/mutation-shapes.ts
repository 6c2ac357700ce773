import {
  AllowWrites,
  Assertion,
  largestSeed,
  mostMutants,
  mutantOutcomes,
  mutationOperators,
  stages,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';

const Count = z.int().min(0);

const EvalMutationOperator = z.enum(mutationOperators).meta({
  id: 'EvalMutationOperator',
  description:
    'The kind of change. tool-missing, description-blank, descriptions-exchanged, parameter-renamed and parameter-required change the listed tools; the others change answers.',
});

export const EvalMutationRequest = z
  .strictObject({
    seed: z.int().min(0).max(largestSeed).optional().meta({
      description: 'Default: 1. The same seed over the same answers gives the same mutants.',
    }),
    maxMutants: z.int().min(1).max(mostMutants).optional().meta({ description: 'Default 60.' }),
    operators: z
      .array(EvalMutationOperator)
      .min(1)
      .max(mutationOperators.length)
      .optional()
      .meta({ description: 'Default: all operators.' }),
    model: z.string().trim().min(1).max(200).optional().meta({
      description:
        'The model of all cases (default: proofmark/lexical-1, which costs nothing). "recorded": the answers of the models come from the recordings of the run in their order, regardless of the request; then only operators that change answers are used, and only assertions about results can notice a change. A judge whose request is not recorded is asked live.',
    }),
    servers: z.enum(['live', 'recorded']).optional().meta({
      description:
        'Default: live. recorded: listings and answers come from the recordings of the run, and no server is called; a trial with a call that is not recorded decides nothing.',
    }),
    runId: Id.optional().meta({
      description:
        'The run of this suite with the recordings. Required with recorded servers or the recorded model, and allowed only then. For a replay, the recordings are those of the run that it replayed.',
    }),
    allowWrites: AllowWrites.optional().meta({
      description:
        'The only tools held for writing that are called on live servers; a case that calls another one is left out with the reason (default: those of the suite, or none if it states none).',
    }),
  })
  .meta({ id: 'EvalMutationRequest' });

export const EvalMutationEstimate = z
  .object({
    mutants: Count.meta({ description: 'At most.' }),
    trials: Count.meta({
      description: 'The highest number of trials, including those without a change.',
    }),
    worstCaseCredits: z.number().nullable().meta({
      description:
        'The highest cost of all these trials; null if the cost of a trial is not known.',
    }),
  })
  .meta({ id: 'EvalMutationEstimate' });

export const EvalMutationStarted = z
  .object({ mutationId: Id, estimate: EvalMutationEstimate })
  .meta({ id: 'EvalMutationStarted' });

const score = {
  killed: Count,
  decided: Count.meta({ description: 'The number of mutants that were killed or survived.' }),
  value: z.number().nullable().meta({ description: 'null if no mutant was decided.' }),
  interval: z
    .object({ lower: z.number(), upper: z.number() })
    .nullable()
    .meta({ description: 'The 95 % Wilson interval.' }),
};
export const EvalMutationScore = z.object(score).meta({ id: 'EvalMutationScore' });

const variant = {
  caseId: Id,
  title: z.string(),
  model: z.string().nullable().meta({ description: 'null if the case asks no model.' }),
};

const EvalMutant = z
  .object({
    operator: EvalMutationOperator,
    serverName: z.string(),
    toolName: z.string(),
    path: z.string().optional().meta({
      description: 'A JSON pointer into the listed tool, or into the value of the answer.',
    }),
    outcome: z.enum(mutantOutcomes),
    killedBy: z.array(
      z.object({
        ...variant,
        stage: z.enum(stages).nullable(),
        reason: z.string().nullable(),
      }),
    ),
    words: z.string().meta({ description: 'A sentence about the change of the server.' }),
    nearestCase: z.object(variant).optional().meta({
      description:
        'Only for a survivor: the case that used the changed tool and checks the most about it.',
    }),
    suggestion: z.object({ caseId: Id, assertion: Assertion }).optional().meta({
      description:
        'An assertion that held in every trial without a change and fails under the mutant.',
    }),
  })
  .meta({ id: 'EvalMutant' });

const head = {
  mutationId: Id,
  suiteId: Id,
  status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
  seed: z.int(),
  maxMutants: z.int(),
  operators: z.array(EvalMutationOperator),
  model: z.string(),
  servers: z.enum(['live', 'recorded']),
  runId: Id.nullable().meta({ description: 'The run whose recordings are used.' }),
  score: EvalMutationScore.meta({ description: 'The score of the mutants that are done.' }),
  error: z.string().nullable(),
  createdAt: Instant,
  completedAt: Instant.nullable(),
};

export const EvalMutationPage = pageOf(
  z.object(head).meta({ id: 'EvalMutationHead' }),
  'EvalMutationPage',
);

export const EvalMutation = z
  .object({
    ...head,
    estimate: EvalMutationEstimate,
    progress: z.object({
      done: Count,
      total: Count.nullable().meta({ description: 'null until the mutants are known.' }),
    }),
    leftOut: z
      .array(z.object({ ...variant, reason: z.string() }))
      .meta({ description: 'Case variants that failed a trial even without a mutant.' }),
    notes: z.array(z.string()).meta({
      description:
        'Sentences about the meaning of the score if servers or the model are recorded; empty if both are live.',
    }),
    byStage: z.array(z.object({ stage: z.enum(stages), ...score })).meta({
      description: 'By the first stage at which the change is visible.',
    }),
    mutants: z.array(EvalMutant).meta({ description: 'Survivors first.' }),
  })
  .meta({
    id: 'EvalMutation',
    description: 'An addition of Proofmark beyond the specification.',
  });
