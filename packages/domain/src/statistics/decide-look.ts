/**
 * Whether a planned case needs another look after the graded trials so far, and why it stops. The
 * verdict itself is the policy's, with the plan's `passThreshold`; it is never different from the
 * line that was reached.
 */
import { lineReached, logRatio } from './plan-bounds.ts';
import type { TrialPlan } from './trial-plan.ts';

/**
 * The reasons why a planned case stops. `deterministic`: the case has no model to vary, so one
 * trial is enough. `notDecided`: a look had no graded trials left.
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
  /** The logarithm of the ratio, between the plan's `lower` and `upper` while it goes on. */
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
  // At the cap every course stops, so there is nothing early about it.
  if (trials >= plan.cap) return { l, stop: 'atCap' };
  const reached = lineReached(plan, passed, trials);
  if (reached === undefined) return { l, stop: null };
  return { l, stop: reached === 'passed' ? 'passedEarly' : 'failedEarly' };
}
