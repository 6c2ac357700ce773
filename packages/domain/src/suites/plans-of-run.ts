/**
 * The progress of a run's trial plans. It is reported beside the run's decision, which the verdict
 * policy makes.
 */
import * as z from 'zod';
import { planStops } from '../statistics/decide-look.ts';
import {
  capOfPlan,
  followPlan,
  mostBegun,
  type PlannedResult,
  type VariantPlan,
} from '../statistics/follow-plan.ts';
import { falseFailOfRun } from '../statistics/trial-plan.ts';
import { decisionCaseId } from '../verdict/case-identity.ts';
import { classifyTrial, type Trial } from '../verdict/classify-trial.ts';
import { DecisionCase, ExecutionVariant } from '../verdict/decision.ts';
import type { PlannedCase, PlannedVariant } from './planned-case.ts';
import type { RunPlan } from './run-plan.ts';

const Count = z.int().min(0);
const Chance = z.number().min(0).max(1);

export const CarriedOutPlan = z
  .object({
    caseId: DecisionCase.shape.caseId,
    executionVariant: ExecutionVariant.exactOptional(),
    testCaseId: z.string().nullable(),
    healthyRate: Chance,
    drop: Chance,
    falseFail: Chance,
    miss: Chance,
    look: z.int().min(1),
    cap: z.int().min(1).meta({ description: 'The graded trials that the plan needs at most.' }),
    passThreshold: Chance,
    exactFalseFail: Chance,
    exactMiss: Chance,
    lower: z.number().meta({ description: 'The case passes once l is at most this.' }),
    upper: z.number().meta({ description: 'The case fails once l is at least this.' }),
    trials: Count.meta({ description: 'The graded trials so far.' }),
    passed: Count,
    stop: z.enum(planStops).nullable().meta({
      description:
        'null while the plan is in progress, and if its run was stopped before the plan ended.',
    }),
    walk: z
      .array(z.object({ trials: Count, passed: Count, l: z.number() }))
      .meta({ description: 'One entry for each look.' }),
  })
  .meta({ id: 'EvalRunCarriedOutPlan' });
export type CarriedOutPlan = z.infer<typeof CarriedOutPlan>;

export const RunTrialPlans = z
  .object({
    planned: Count.meta({ description: 'The number of case variants with a plan.' }),
    falseFailOfRun: Chance.meta({
      description: 'The chance that the run fails although all planned case variants are healthy.',
    }),
    cases: z.array(CarriedOutPlan),
  })
  .meta({
    id: 'EvalRunTrialPlans',
    description:
      'An addition of Proofmark beyond the specification: how the trial plans of the run are carried out. null if no plan decides how many trials it has.',
  });
export type RunTrialPlans = z.infer<typeof RunTrialPlans>;

export interface PlacedPlan {
  readonly caseIndex: number;
  readonly variantIndex: number;
  readonly planned: PlannedCase;
  readonly variant: PlannedVariant;
  readonly plan: VariantPlan;
  readonly firstOrdinal: number;
  readonly lastOrdinal: number;
}

export function placedPlans({ cases }: Pick<RunPlan, 'cases'>): PlacedPlan[] {
  const placed: PlacedPlan[] = [];
  let firstOrdinal = 1;
  for (const [caseIndex, planned] of cases.entries()) {
    for (const [variantIndex, variant] of planned.variants.entries()) {
      const { trialPlan: plan, repetitions } = variant;
      const places = plan === undefined ? repetitions : mostBegun(plan);
      const lastOrdinal = firstOrdinal + places - 1;
      if (plan !== undefined) {
        placed.push({ caseIndex, variantIndex, planned, variant, plan, firstOrdinal, lastOrdinal });
      }
      firstOrdinal = lastOrdinal + 1;
    }
  }
  return placed;
}

export interface EndedOrOpenTrial extends Pick<Trial, 'status' | 'evaluatorError'> {
  readonly ordinal: number;
  readonly result: Trial['taskVerdict'] | null;
}

export function resultsOfPlan(
  { firstOrdinal, lastOrdinal }: Pick<PlacedPlan, 'firstOrdinal' | 'lastOrdinal'>,
  trials: readonly EndedOrOpenTrial[],
): PlannedResult[] {
  return trials
    .filter(({ ordinal }) => ordinal >= firstOrdinal && ordinal <= lastOrdinal)
    .sort((one, other) => one.ordinal - other.ordinal)
    .map(({ status, result, evaluatorError }) => {
      const found = classifyTrial({ status, taskVerdict: result ?? undefined, evaluatorError });
      if ('graded' in found) return found.graded;
      return 'excluded' in found && found.excluded === 'notTerminal' ? 'open' : 'ungraded';
    });
}

export function carriedOutPlans(
  plan: Pick<RunPlan, 'cases'>,
  trials: readonly EndedOrOpenTrial[],
  sha256Hex: (text: string) => string,
): RunTrialPlans | null {
  const placed = placedPlans(plan);
  if (placed.length === 0) return null;
  const fansOut = plan.cases.some(({ variants }) => variants.length > 1);
  const cases = placed.map((one): CarriedOutPlan => {
    const { plan: own, planned, variant } = one;
    const { trials: graded, passed, walk, next } = followPlan(own, resultsOfPlan(one, trials));
    const stop = next.kind === 'stop' ? next.stop : null;
    const { model, provider } = variant;
    return {
      caseId: decisionCaseId(planned, sha256Hex),
      ...(fansOut &&
        model !== undefined && {
          executionVariant: { model, ...(provider !== undefined && { provider }) },
        }),
      testCaseId: planned.caseId,
      healthyRate: own.healthyRate,
      drop: own.drop,
      falseFail: own.falseFail,
      miss: own.miss,
      look: own.look,
      cap: capOfPlan(own),
      passThreshold: own.passThreshold,
      exactFalseFail: own.exactFalseFail,
      exactMiss: own.exactMiss,
      lower: own.lower,
      upper: own.upper,
      trials: graded,
      passed,
      stop,
      walk: walk.map((entry) => ({ ...entry })),
    };
  });
  const falseFails = placed.map(({ plan }) => plan.falseFail);
  return { planned: placed.length, falseFailOfRun: falseFailOfRun(falseFails), cases };
}
