/**
 * Decides whether a gate could have seen a drop of the stated size, with a chance of at most 10 %
 * to miss it. With a baseline, the paired comparison must be able to find the drop. Without a
 * baseline, the trial plan or the threshold of every case variant must be able to.
 */
import { planOf } from '../statistics/trial-plan.ts';
import {
  defaultHealthyRate,
  planSeesDrop,
  seesDrop,
  seesPairedDrop,
  smallestDropSeenByPlan,
  smallestPairedDrop,
  smallestVisibleDrop,
} from '../statistics/visible-drop.ts';
import type { CarriedOutPlan } from '../suites/plans-of-run.ts';
import type { DecisionCase } from '../verdict/decision.ts';
import type { BaselineAtGate } from './run-gate.ts';

export interface StatedDrop {
  readonly drop: number;
  readonly healthyRate?: number | undefined;
}

export interface GatedCase extends Pick<DecisionCase, 'eligibleTrials' | 'effectivePassThreshold'> {
  readonly plan?: CarriedOutPlan | undefined;
}

export interface UnseenDrop {
  readonly drop: number;
  readonly smallestDrop: number | null;
}

/** Returns null if the gate could have seen the drop. */
export function unseenDrop(
  { drop, healthyRate }: StatedDrop,
  cases: readonly GatedCase[],
  baseline?: BaselineAtGate,
): UnseenDrop | null {
  if (baseline !== undefined) {
    return unseenByPairs({ drop, healthyRate: healthyRate ?? defaultHealthyRate }, baseline);
  }
  const sights = cases.map((one) => sightOf(one, healthyRate));
  if (sights.length > 0 && sights.every((sight) => sight?.sees(drop))) return null;
  return { drop, smallestDrop: largestOf(sights.map((sight) => sight?.smallest() ?? null)) };
}

interface Sight {
  sees(drop: number): boolean;
  smallest(): number | null;
}

/** Returns undefined for a case without a graded trial, since it cannot show a drop. */
function sightOf(one: GatedCase, stated: number | undefined): Sight | undefined {
  const { eligibleTrials: trials, effectivePassThreshold: passThreshold, plan: carriedOut } = one;
  if (trials === 0) return undefined;
  const healthyRate = stated ?? carriedOut?.healthyRate ?? defaultHealthyRate;
  const plan = hasAnswer(carriedOut) ? planOf(carriedOut) : undefined;
  if (plan !== undefined) {
    return {
      sees: (drop) => planSeesDrop(plan, healthyRate, drop),
      smallest: () => smallestDropSeenByPlan(plan, healthyRate),
    };
  }
  const gate = { trials, passThreshold };
  return {
    sees: (drop) => seesDrop(gate, healthyRate, drop),
    smallest: () => smallestVisibleDrop(gate, healthyRate),
  };
}

/**
 * Returns whether the plan reached an answer. A plan that needed only one trial, or that stopped
 * without an answer, shows no more than the trials themselves.
 */
function hasAnswer(plan: CarriedOutPlan | undefined): plan is CarriedOutPlan {
  const { stop } = plan ?? {};
  return stop === 'passedEarly' || stop === 'failedEarly' || stop === 'atCap';
}

function unseenByPairs(
  { drop, healthyRate }: Required<StatedDrop> & { readonly healthyRate: number },
  { paired, cases }: BaselineAtGate,
): UnseenDrop | null {
  if (paired === null) return { drop, smallestDrop: null };
  const pairs = cases
    .filter(({ base, compare }) => base.eligibleTrials > 0 && compare.eligibleTrials > 0)
    .map(({ base, compare }) => ({
      base: { trials: base.eligibleTrials },
      compare: { trials: compare.eligibleTrials },
    }));
  const { clusters, standardError } = paired;
  const gate = { clusters, standardError, pairs };
  if (seesPairedDrop(gate, healthyRate, drop)) return null;
  return { drop, smallestDrop: smallestPairedDrop(gate, healthyRate) };
}

/** A gate over several cases sees a drop only if every case can show it. */
function largestOf(drops: readonly (number | null)[]): number | null {
  const known = drops.filter((drop) => drop !== null);
  return known.length === 0 || known.length < drops.length ? null : Math.max(...known);
}
