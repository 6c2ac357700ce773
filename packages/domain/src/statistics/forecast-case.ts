/**
 * The cost of detecting a stated drop in one case: the trials of a fixed and of a sequential plan.
 * Also the smallest drop that the case's present settings can detect.
 */
import { type FixedPlan, fixedPlan } from './fixed-plan.ts';
import { type PlanMeans, planMeans } from './plan-outcome.ts';
import type { PlanTerms } from './stated-trial-plan.ts';
import { planOrSmallestDrop } from './trial-plan.ts';
import { smallestVisibleDrop, type ThresholdGate } from './visible-drop.ts';

export interface SequentialForecast extends PlanMeans {
  readonly cap: number;
  readonly look: number;
  readonly passThreshold: number;
  readonly falseFail: number;
  readonly miss: number;
}

export interface CaseForecast {
  /** Null only if ten million trials do not show the drop. */
  readonly fixed: FixedPlan | null;
  /** Null if the drop needs more trials than a plan may have. */
  readonly sequential: SequentialForecast | null;
  /** The smallest drop that a plan can detect; set only if `sequential` is null. */
  readonly smallestDrop?: number | null;
  readonly today: ThresholdGate & { readonly smallestDrop: number | null };
}

export function forecastCase(terms: PlanTerms, today: ThresholdGate): CaseForecast {
  const smallestDrop = smallestVisibleDrop(today, terms.healthyRate);
  const { trials, passThreshold } = today;
  return {
    fixed: fixedPlan(terms),
    ...sequentialForecast(terms),
    today: { trials, passThreshold, smallestDrop },
  };
}

function sequentialForecast(terms: PlanTerms): Pick<CaseForecast, 'sequential' | 'smallestDrop'> {
  const found = planOrSmallestDrop(terms);
  if (!('plan' in found)) return { sequential: null, smallestDrop: found.smallestDrop };
  const { plan } = found;
  const { cap, look, passThreshold, exactFalseFail, exactMiss } = plan;
  const rates = { falseFail: exactFalseFail, miss: exactMiss };
  return { sequential: { cap, look, passThreshold, ...rates, ...planMeans(plan) } };
}
