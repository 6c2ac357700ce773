/**
 * Whether a gate could have seen a drop that its caller states. With a baseline, the paired
 * comparison must find the drop; without one, every case variant must fail at its threshold. Either
 * may miss it with a chance of at most 10 %.
 */
import {
  defaultHealthyRate,
  seesDrop,
  seesPairedDrop,
  smallestPairedDrop,
  smallestVisibleDrop,
} from '../statistics/visible-drop.ts';
import type { DecisionCase } from '../verdict/decision.ts';
import type { BaselineAtGate } from './run-gate.ts';

export interface StatedDrop {
  readonly drop: number;
  readonly healthyRate?: number | undefined;
}

export interface UnseenDrop {
  readonly drop: number;
  /** The smallest drop that the gate could have seen; null if there is none. */
  readonly smallestDrop: number | null;
}

/** Returns null if the gate could have seen the drop. */
export function unseenDrop(
  { drop, healthyRate = defaultHealthyRate }: StatedDrop,
  cases: readonly Pick<DecisionCase, 'eligibleTrials' | 'effectivePassThreshold'>[],
  baseline?: BaselineAtGate,
): UnseenDrop | null {
  if (baseline !== undefined) return unseenByPairs({ drop, healthyRate }, baseline);
  const gates = cases.map(({ eligibleTrials, effectivePassThreshold }) => ({
    trials: eligibleTrials,
    passThreshold: effectivePassThreshold,
  }));
  const sees = gates.every((gate) => gate.trials > 0 && seesDrop(gate, healthyRate, drop));
  if (gates.length > 0 && sees) return null;
  const smallest = gates.map((gate) =>
    gate.trials > 0 ? smallestVisibleDrop(gate, healthyRate) : null,
  );
  return { drop, smallestDrop: largestOf(smallest) };
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

/** A gate over several cases sees what each of them sees. */
function largestOf(drops: readonly (number | null)[]): number | null {
  const known = drops.filter((drop) => drop !== null);
  return known.length === 0 || known.length < drops.length ? null : Math.max(...known);
}
