/**
 * Returns the 95 % confidence interval for the difference of two proportions (compared minus base),
 * by Newcombe's hybrid method from two Wilson intervals. Returns undefined if a run has no trial or
 * the counts are impossible.
 */
import { wilsonInterval } from '../verdict/wilson-interval.ts';
import type { PassCount } from './measures.ts';

export interface Difference {
  readonly delta: number;
  readonly lower: number;
  readonly upper: number;
}

export function newcombeInterval(base: PassCount, compared: PassCount): Difference | null {
  if (!isCount(base) || !isCount(compared)) return null;
  const baseInterval = wilsonInterval(base.passed, base.trials);
  const comparedInterval = wilsonInterval(compared.passed, compared.trials);
  if (baseInterval === null || comparedInterval === null) return null;
  const baseRate = base.passed / base.trials;
  const comparedRate = compared.passed / compared.trials;
  const delta = rateDifference(base, compared);
  return {
    delta,
    lower: delta - Math.hypot(comparedRate - comparedInterval.lower, baseInterval.upper - baseRate),
    upper: delta + Math.hypot(comparedInterval.upper - comparedRate, baseRate - baseInterval.lower),
  };
}

/**
 * Calculates with integers and divides only once, so that the change from 8/10 to 7/10 is exactly
 * −0.1.
 */
export function rateDifference(base: PassCount, compared: PassCount): number {
  const difference = compared.passed * base.trials - base.passed * compared.trials;
  // Adding 0 turns −0 into 0.
  return difference / (base.trials * compared.trials) + 0;
}

function isCount({ passed, trials }: PassCount): boolean {
  return (
    Number.isSafeInteger(passed) && Number.isSafeInteger(trials) && passed >= 0 && passed <= trials
  );
}
