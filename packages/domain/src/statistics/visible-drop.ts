/**
 * The smallest drop that a gate detects: it misses the drop with a chance of at most 10 %. Drops
 * are multiples of 0.001. Every larger drop is detected, too.
 */
import type { PassCount } from '../gates/measures.ts';
import { chanceOfAtLeast } from './binomial.ts';
import { fewestPairedClusters } from './paired-comparison.ts';
import { planOutcome } from './plan-outcome.ts';
import { firstMultiple } from './smallest-drop-of-plan.ts';
import { studentQuantile } from './student-t.ts';
import type { TrialPlan } from './trial-plan.ts';

export const defaultHealthyRate = 0.95;
const mostMissed = 0.1;
const tolerance = 1e-12;

export interface ThresholdGate {
  readonly trials: number;
  readonly passThreshold: number;
}

/** Returns how often a case passes at the threshold although its true pass rate is `rate`. */
export function passChance({ trials, passThreshold }: ThresholdGate, rate: number): number {
  let passes = Math.ceil(trials * passThreshold);
  // The policy compares floating-point quotients, so rounding may change the number of required
  // passes by one.
  while (passes > 0 && (passes - 1) / trials >= passThreshold) passes -= 1;
  while (passes / trials < passThreshold) passes += 1;
  return chanceOfAtLeast(passes, { trials, rate });
}

export function seesDrop(gate: ThresholdGate, healthyRate: number, drop: number): boolean {
  return isSeen(passChance(gate, Math.max(0, healthyRate - drop)));
}

/** Uses the exact probability that the plan passes a case whose true pass rate has dropped. */
export function planSeesDrop(plan: TrialPlan, healthyRate: number, drop: number): boolean {
  return isSeen(planOutcome(plan, Math.max(0, healthyRate - drop)).passes);
}

export function smallestDropSeenByPlan(plan: TrialPlan, healthyRate: number): number | null {
  return smallestWhere(healthyRate, (drop) => planSeesDrop(plan, healthyRate, drop));
}

function isSeen(missed: number): boolean {
  return missed <= mostMissed + tolerance;
}

/** Returns null if the gate misses even a drop to nearly zero. */
export function smallestVisibleDrop(gate: ThresholdGate, healthyRate: number): number | null {
  return smallestWhere(healthyRate, (drop) => seesDrop(gate, healthyRate, drop));
}

export interface PairedGate {
  readonly clusters: number;
  readonly standardError: number | null;
  readonly pairs: readonly { readonly base: Graded; readonly compare: Graded }[];
}
type Graded = Pick<PassCount, 'trials'>;

/** Returns the smallest drop of all cases together; null if no drop can be detected. */
export function smallestPairedDrop(gate: PairedGate, healthyRate: number): number | null {
  const sees = pairedSight(gate, healthyRate);
  return sees === undefined ? null : smallestWhere(healthyRate, sees);
}

export function seesPairedDrop(gate: PairedGate, healthyRate: number, drop: number): boolean {
  return pairedSight(gate, healthyRate)?.(drop) ?? false;
}

/**
 * The trials of a run may vary less than expected by chance, so the binomial spread is used as a
 * minimum.
 */
function pairedSight(
  { clusters, standardError, pairs }: PairedGate,
  healthyRate: number,
): ((drop: number) => boolean) | undefined {
  if (clusters < fewestPairedClusters || standardError === null) return undefined;
  const width = studentQuantile(0.975, clusters - 1) + studentQuantile(0.9, clusters - 1);
  const shareOf = (side: (pair: PairedGate['pairs'][number]) => Graded) =>
    pairs.reduce((sum, pair) => sum + 1 / side(pair).trials, 0) / pairs.length ** 2;
  const baseShare = shareOf(({ base }) => base);
  const compareShare = shareOf(({ compare }) => compare);
  return (drop) => {
    const dropped = Math.max(0, healthyRate - drop);
    const variance =
      healthyRate * (1 - healthyRate) * baseShare + dropped * (1 - dropped) * compareShare;
    return width * Math.max(standardError, Math.sqrt(variance)) <= drop + tolerance;
  };
}

function smallestWhere(healthyRate: number, sees: (drop: number) => boolean): number | null {
  const most = Math.ceil(healthyRate * 1000) - 1;
  const found = firstMultiple(most, sees);
  return found > most ? null : found / 1000;
}
