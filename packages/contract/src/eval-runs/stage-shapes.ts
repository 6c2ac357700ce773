import { DecisionCase, mostStageMapRows, stageStates, stages } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.int().min(0);

const EvalRunStageCell = z
  .object({
    stage: z.enum(stages),
    state: z.enum(stageStates),
    failedTrials: Count.meta({ description: 'Trials that first failed here, as recorded.' }),
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
        'In chain order. failed where a trial first failed there; else the state of the stage in the trial that came furthest.',
    }),
  })
  .meta({ id: 'EvalRunStageRow' });

export const EvalRunStages = z
  .object({
    runId: Id,
    unit: z.literal('caseVariant'),
    total: Count.meta({ description: 'Case variants of the run.' }),
    outcomes: z.object({ failed: Count, notGraded: Count, toCome: Count, passed: Count }).meta({
      description:
        'Case variants by outcome: those with a failed trial, then of the rest those with one that was not graded, then those with one to come; of the passed each trial passed.',
    }),
    cases: z
      .array(EvalRunStageRow)
      .max(mostStageMapRows)
      .meta({
        description: `The first ${mostStageMapRows}: those with a failed trial first, then those with one that was not graded.`,
      }),
  })
  .meta({ id: 'EvalRunStages' });
export type EvalRunStages = z.infer<typeof EvalRunStages>;
