import { DecisionCase, mostStageMapRows, stageStates, stages } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.int().min(0);

const EvalRunStageCell = z
  .object({
    stage: z.enum(stages),
    state: z.enum(stageStates),
    failedTrials: Count.meta({
      description: 'The number of recorded trials that first failed at this stage.',
    }),
  })
  .meta({ id: 'EvalRunStageCell' });

const EvalRunStageRow = z
  .object({
    caseId: DecisionCase.shape.caseId
      .optional()
      .meta({ description: 'The declared id of the case.' }),
    testCaseId: Id.nullable(),
    title: z.string().nullable(),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    trials: Count,
    passed: Count,
    failed: Count,
    notGraded: Count,
    stages: z.array(EvalRunStageCell).length(stages.length).meta({
      description:
        'In the order of the chain. failed if a trial first failed at the stage; else the state of the stage in the trial that got furthest.',
    }),
  })
  .meta({ id: 'EvalRunStageRow' });

export const EvalRunStages = z
  .object({
    runId: Id,
    unit: z.literal('caseVariant'),
    total: Count.meta({ description: 'The number of case variants of the run.' }),
    outcomes: z.object({ failed: Count, notGraded: Count, toCome: Count, passed: Count }).meta({
      description:
        'The number of case variants by outcome. The first of these that applies counts: a trial failed; a trial was not graded; a trial is still to come; every trial passed.',
    }),
    cases: z
      .array(EvalRunStageRow)
      .max(mostStageMapRows)
      .meta({
        description: `The first ${mostStageMapRows} case variants: first those with a failed trial, then those with a trial that was not graded.`,
      }),
  })
  .meta({ id: 'EvalRunStages' });
export type EvalRunStages = z.infer<typeof EvalRunStages>;
