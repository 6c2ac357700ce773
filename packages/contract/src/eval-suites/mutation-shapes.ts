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
    'What is changed. Of the surface: tool-missing, description-blank, descriptions-exchanged, parameter-renamed, parameter-required; the others are about answers.',
});

export const EvalMutationRequest = z
  .strictObject({
    seed: z.int().min(0).max(largestSeed).optional().meta({
      description: 'Default 1. The same seed over the same answers gives the same mutants.',
    }),
    maxMutants: z.int().min(1).max(mostMutants).optional().meta({ description: 'Default 60.' }),
    operators: z
      .array(EvalMutationOperator)
      .min(1)
      .max(mutationOperators.length)
      .optional()
      .meta({ description: 'Default: all of them.' }),
    model: z.string().trim().min(1).max(200).optional().meta({
      description:
        'Plays all cases. Default proofmark/lexical-1, which costs nothing. "recorded": the models of the cases, answered from the recordings of the run by place, whatever they are asked; then only operators of answers are tried, and only assertions about results can notice. A judge who is asked otherwise than recorded is asked for real.',
    }),
    servers: z.enum(['live', 'recorded']).optional().meta({
      description:
        'Default live. recorded: what they list and answer is that of the recordings of the run, and nobody is called; a trial that calls what is not in them decides nothing.',
    }),
    runId: Id.optional().meta({
      description:
        'With recorded servers or the recorded model, and only then: the run of this suite whose recordings are meant. Of a replay it is the run that it played.',
    }),
    allowWrites: AllowWrites.optional().meta({
      description:
        'Of the tools held for writing, live servers are asked for these alone; a case that calls another one is left out with the reason. Default: those that the suite allows, and none where it states nothing.',
    }),
  })
  .meta({ id: 'EvalMutationRequest' });

export const EvalMutationEstimate = z
  .object({
    mutants: Count.meta({ description: 'At most.' }),
    trials: Count.meta({ description: 'At most, those of the base included.' }),
    worstCaseCredits: z.number().nullable().meta({
      description: 'For all these trials; null where nobody knows what one costs.',
    }),
  })
  .meta({ id: 'EvalMutationEstimate' });

export const EvalMutationStarted = z
  .object({ mutationId: Id, estimate: EvalMutationEstimate })
  .meta({ id: 'EvalMutationStarted' });

const score = {
  killed: Count,
  decided: Count.meta({ description: 'Killed or survived.' }),
  value: z.number().nullable().meta({ description: 'Null where nothing was decided.' }),
  interval: z
    .object({ lower: z.number(), upper: z.number() })
    .nullable()
    .meta({ description: 'At 95 %, by Wilson.' }),
};
export const EvalMutationScore = z.object(score).meta({ id: 'EvalMutationScore' });

const variant = {
  caseId: Id,
  title: z.string(),
  model: z.string().nullable().meta({ description: 'Null where the case asks none.' }),
};

const EvalMutant = z
  .object({
    operator: EvalMutationOperator,
    serverName: z.string(),
    toolName: z.string(),
    path: z.string().optional().meta({
      description:
        'A JSON pointer: into the tool as it is listed, or into the value that an answer carries.',
    }),
    outcome: z.enum(mutantOutcomes),
    killedBy: z.array(
      z.object({
        ...variant,
        stage: z.enum(stages).nullable(),
        reason: z.string().nullable(),
      }),
    ),
    words: z.string().meta({ description: 'What the server does differently.' }),
    nearestCase: z.object(variant).optional().meta({
      description: 'Of a survivor: the case that met it and asks most about the tool.',
    }),
    suggestion: z
      .object({ caseId: Id, assertion: Assertion })
      .optional()
      .meta({ description: 'It held in every trial of the base and fails under the mutant.' }),
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
  runId: Id.nullable().meta({ description: 'The run whose recordings it is played on.' }),
  score: EvalMutationScore.meta({ description: 'Of the mutants that are done.' }),
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
      total: Count.nullable().meta({ description: 'Null until the mutants are known.' }),
    }),
    leftOut: z
      .array(z.object({ ...variant, reason: z.string() }))
      .meta({ description: 'Case variants that did not pass every trial without a mutant.' }),
    notes: z.array(z.string()).meta({
      description:
        'Sentences about what the way it was played means for the score; none where servers and model are asked for real.',
    }),
    byStage: z.array(z.object({ stage: z.enum(stages), ...score })).meta({
      description: 'By the stage where what was changed first shows.',
    }),
    mutants: z.array(EvalMutant).meta({ description: 'Survivors first.' }),
  })
  .meta({
    id: 'EvalMutation',
    description: 'An addition of Proofmark beyond the specification.',
  });
