/**
 * The exact chances that a trial plan passes and fails a case of a given true pass rate, and the
 * mean number of trials.
 */
import { passesAtCap } from './plan-bounds.ts';
import { type PlanOutcome, playLook, startWalk, stopAtCap, stopAtLook } from './plan-walk.ts';
import type { TrialPlan } from './trial-plan.ts';

export function planOutcome(plan: TrialPlan, trueRate: number): PlanOutcome {
  let walk = playLook(startWalk(), plan.look, trueRate);
  while (walk.trials < plan.cap) {
    walk = playLook(stopAtLook(walk, plan), plan.look, trueRate);
  }
  return stopAtCap(walk, passesAtCap(plan, plan.cap));
}

export interface PlanMeans {
  readonly meanHealthy: number;
  readonly meanRegressed: number;
  /** The mean number of trials at the rate halfway between the healthy and the regressed rate. */
  readonly meanHalfway: number;
}

export function planMeans(plan: TrialPlan): PlanMeans {
  const { healthyRate, regressedRate } = plan;
  const meanAt = (rate: number) => planOutcome(plan, rate).meanTrials;
  return {
    meanHealthy: meanAt(healthyRate),
    meanRegressed: meanAt(regressedRate),
    meanHalfway: meanAt((healthyRate + regressedRate) / 2),
  };
}
