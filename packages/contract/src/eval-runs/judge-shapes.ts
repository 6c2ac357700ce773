/**
 * Results of judges that run after a run has ended. They change no trial result and no count. Only
 * a judge in an assertion decides.
 */
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

const judgedCase = {
  caseKey: z.string(),
  score: z.number().nullable(),
  passed: z.boolean(),
  reason: z.string().nullable(),
};

const envelope = {
  status: z.enum(['pending', 'completed', 'failed']).nullable().meta({
    description: 'null: nobody asked.',
  }),
  errorCode: z.string().nullable(),
  summary: z.string().nullable(),
  generatedAt: Instant.nullable(),
  modelUsed: z.string().nullable(),
  threshold: z.number().nullable(),
};

export const EvalRunGoalCompletionJudge = z
  .object({
    ...envelope,
    cases: z
      .array(z.object({ ...judgedCase, rubricHits: z.array(z.string()) }))
      .meta({ description: 'Empty unless the status is completed.' }),
  })
  .meta({ id: 'EvalRunGoalCompletionJudge' });

export const EvalRunGroundednessJudge = z
  .object({
    ...envelope,
    cases: z
      .array(z.object({ ...judgedCase, unsupportedClaims: z.array(z.string()) }))
      .meta({ description: 'Empty unless the status is completed.' }),
  })
  .meta({ id: 'EvalRunGroundednessJudge' });

const EvalRunJudgeVotes = z
  .object({
    held: z.int(),
    failed: z.int(),
    errors: z.int().meta({ description: 'The number of trials for which the judge failed.' }),
    votes: z
      .int()
      .meta({ description: 'The number of readable votes, if several were requested.' }),
    agreed: z
      .int()
      .meta({ description: 'The number of these votes that agree with the majority.' }),
    failedVotes: z.int(),
  })
  .meta({
    id: 'EvalRunJudgeVotes',
    description:
      'An addition of Proofmark beyond the specification: the results of judges that are assertions (goalCompleted), over all trials of an ended run. Each criterion counts separately.',
  });

export const EvalRunJudges = z
  .object({
    goalCompletion: EvalRunGoalCompletionJudge,
    groundedness: EvalRunGroundednessJudge,
    assertions: EvalRunJudgeVotes.optional(),
  })
  .meta({ id: 'EvalRunJudges' });

export const EvalRunJudgeRequest = z
  .strictObject({
    force: z
      .boolean()
      .optional()
      .meta({ description: 'Ask the judge again although it has already answered.' }),
    enable: z.boolean().optional().meta({
      description: 'Ask with this model and threshold, which replace those of the launch.',
    }),
    model: z.string().trim().min(1).max(200).optional(),
    threshold: z.number().min(0).max(1).optional(),
  })
  .meta({ id: 'EvalRunJudgeRequest' });

export const EvalRunJudgeRequested = z
  .object({ runId: Id, projectId: Id, status: z.enum(['pending', 'completed']) })
  .meta({ id: 'EvalRunJudgeRequested' });
