/**
 * Decides after each look (an interim check of a trial plan) whether the case needs another look,
 * and why it stops. The verdict comes from the verdict policy with the plan's `passThreshold` and
 * always agrees with the plan.
 */
import { lineReached, logRatio } from './plan-bounds.ts';
import type { TrialPlan } from './trial-plan.ts';

/**
 * The reasons why a case with a trial plan stops. `deterministic`: the case has no model to vary,
 * so one trial is enough. `notDecided`: a look (an interim check) lacked graded trials.
 */
export const planStops = [
  'passedEarly',
  'failedEarly',
  'atCap',
  'deterministic',
  'notDecided',
] as const;
export type PlanStop = (typeof planStops)[number];

export interface DecidedLook {
  /**
   * The logarithm of the likelihood ratio. More trials follow while it is between the plan's
   * `lower` and `upper`.
   */
  readonly l: number;
  /** Null while more trials are needed. */
  readonly stop: Extract<PlanStop, 'passedEarly' | 'failedEarly' | 'atCap'> | null;
}

export function decideLook(
  plan: TrialPlan,
  graded: { readonly passed: number; readonly trials: number },
): DecidedLook {
  const { passed, trials } = graded;
  const l = logRatio(plan, passed, trials);
  // At the cap every case stops, so `atCap` is not an early stop.
  if (trials >= plan.cap) return { l, stop: 'atCap' };
  const reached = lineReached(plan, passed, trials);
  if (reached === undefined) return { l, stop: null };
  return { l, stop: reached === 'passed' ? 'passedEarly' : 'failedEarly' };
}
