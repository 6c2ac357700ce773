import { caseStabilities, StatedTrialPlan, steadyTrials } from '@proofmark/domain';
import * as z from 'zod';
import { OmittedRuns } from '../eval-runs/statistics-shapes.ts';
import { Id } from '../fields.ts';

const Count = z.int().min(0);
const Fraction = z.number().min(0).max(1);

export const EvalSuiteFlaky = z
  .object({
    cases: z.array(
      z.object({
        testCaseId: Id,
        caseId: z.string().meta({
          description: 'The declared id of the case; without one, the same as testCaseId.',
        }),
        title: z.string(),
        model: z.string().nullable(),
        state: z.enum(caseStabilities),
        steady: z.boolean().meta({
          description: `Whether its last ${steadyTrials} graded trials passed.`,
        }),
        runs: Count,
        trials: Count,
        passed: Count,
        quarantined: z.boolean(),
      }),
    ),
    omittedRuns: OmittedRuns,
    suggestion: z.string().nullable().meta({
      description:
        'Lines for the suite file that put the flaky case variants into quarantine; null if there are none.',
    }),
  })
  .meta({ id: 'EvalSuiteFlaky' });

const { healthyRate, drop, falseFail, miss, look } = StatedTrialPlan.shape;

export const EvalSuitePlanRequest = z
  .strictObject({
    drop,
    healthyRate: healthyRate.exactOptional().meta({
      description: 'The pass rate of a healthy case (default: that of its plan, else 0.95).',
    }),
    falseFail,
    miss,
    look,
  })
  .meta({ id: 'EvalSuitePlanRequest' });

const Cost = z.object({
  credits: z.number().min(0).nullable().meta({ description: 'null if no price is known.' }),
  minutes: z
    .number()
    .min(0)
    .meta({ description: 'The duration if trials are played one after the other.' }),
});
const Costs = z
  .object({ fixed: Cost, mean: Cost, worst: Cost })
  .nullable()
  .meta({ description: 'null if no history shows the cost of a trial.' });

export const EvalSuitePlan = z
  .object({
    suiteId: Id,
    drop,
    cases: z.array(
      z.object({
        testCaseId: Id,
        title: z.string(),
        model: z.string().nullable(),
        healthyRate: Fraction,
        deterministic: z.boolean().meta({
          description:
            'True if one trial is enough, because no model is asked, or only the built-in one.',
        }),
        fixed: z
          .object({ trials: Count, passes: Count, falseFail: Fraction, miss: Fraction })
          .nullable()
          .meta({
            description:
              'The smallest number of trials that shows the drop; the case fails if fewer than `passes` of them pass. null if ten million trials do not show the drop.',
          }),
        sequential: z
          .object({
            cap: Count,
            look: Count,
            passThreshold: Fraction,
            falseFail: Fraction,
            miss: Fraction,
            meanHealthy: z.number(),
            meanRegressed: z.number(),
            meanHalfway: z.number(),
          })
          .nullable()
          .meta({ description: 'null if the drop needs more than 200 trials.' }),
        smallestDrop: Fraction.nullable().optional().meta({
          description: 'The smallest drop that 200 trials can show; only if the plan is null.',
        }),
        today: z.object({
          trials: Count,
          passThreshold: Fraction,
          smallestDrop: Fraction.nullable().meta({
            description:
              'The smallest drop that is missed in at most one of ten runs; null if even the largest is missed, or if the case is deterministic.',
          }),
        }),
        cost: Costs,
      }),
    ),
    run: z
      .object({
        cases: Count,
        falseFailOfRun: Fraction.meta({
          description: 'The chance that a run fails although all its cases are healthy.',
        }),
        fixed: z.number().nullable(),
        mean: z.number().nullable(),
        worst: z.number().nullable(),
        cost: Costs,
      })
      .meta({ description: 'Sums over the cases, in trials.' }),
  })
  .meta({ id: 'EvalSuitePlan' });
export type EvalSuitePlan = z.infer<typeof EvalSuitePlan>;
