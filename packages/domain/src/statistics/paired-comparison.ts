/**
 * Compares two runs case by case, so that the different difficulty of cases adds no noise. The
 * difference is the mean over the cases with graded trials on both sides. Rows of one case, or one
 * prompt on several models, form one cluster.
 *
 * The test depends on the number of clusters:
 *
 * - below 6: none, since no test can distinguish a change from chance
 * - below 20: a sign flip test over all choices of signs
 * - from 20 on: Student's t
 * - with one trial of each case on each side: McNemar's exact test
 */
import type { PassCount } from '../gates/measures.ts';
import { rateDifference } from '../gates/newcombe-interval.ts';
import { chanceOfFewer } from './binomial.ts';
import { signFlipChance } from './sign-flip.ts';
import { twoSidedTail } from './student-t.ts';

export const pairedMethods = ['t', 'signFlip', 'mcnemar', 'none'] as const;
export type PairedMethod = (typeof pairedMethods)[number];

export const pairedLevel = 0.05;
export const fewestPairedClusters = 6;
const fewestForT = 20;
/** Equal differences may differ by the rounding of their rates. */
const rounding = 1e-12;

export interface CaseOnSide extends PassCount {
  /** The identity of the case, with its model and row; unique on its side. */
  readonly key: string;
  /** Equal for cases that vary together. */
  readonly cluster: string;
}

export interface PairedComparison {
  readonly pairs: number;
  readonly clusters: number;
  /** The mean difference of the pass rates, compared minus base; null without a pair. */
  readonly difference: number | null;
  /** Null with fewer than two clusters. */
  readonly standardError: number | null;
  readonly method: PairedMethod;
  /** The two-sided p-value; null if the method is `none`. */
  readonly p: number | null;
  readonly level: typeof pairedLevel;
  /** The keys of the cases on the base side only. */
  readonly left: readonly string[];
  /** The keys of the cases on the compared side only. */
  readonly right: readonly string[];
  /** The keys of cases on both sides that lack a graded trial on one side. */
  readonly ungraded: readonly string[];
}

interface Pair {
  readonly cluster: string;
  readonly difference: number;
  readonly isSingle: boolean;
}

export function comparePaired(
  base: readonly CaseOnSide[],
  compare: readonly CaseOnSide[],
): PairedComparison {
  const before = new Map(base.map((one) => [one.key, one]));
  const now = new Set(compare.map(({ key }) => key));
  const pairs: Pair[] = [];
  const ungraded: string[] = [];
  for (const one of compare) {
    const other = before.get(one.key);
    if (other === undefined) continue;
    if (one.trials === 0 || other.trials === 0) ungraded.push(one.key);
    else {
      const isSingle = one.trials === 1 && other.trials === 1;
      pairs.push({ cluster: one.cluster, difference: rateDifference(other, one), isSingle });
    }
  }
  return {
    ...testPairs(pairs),
    level: pairedLevel,
    left: base.filter(({ key }) => !now.has(key)).map(({ key }) => key),
    right: compare.filter(({ key }) => !before.has(key)).map(({ key }) => key),
    ungraded,
  };
}

/** Returns whether the comparison shows a drop; undefined if there is too little data. */
export function isPairedDrop({
  difference,
  p,
}: Pick<PairedComparison, 'difference' | 'p'>): boolean | undefined {
  if (p === null || difference === null) return undefined;
  return difference < 0 && p <= pairedLevel * (1 + 1e-9);
}

type Tested = Pick<
  PairedComparison,
  'pairs' | 'clusters' | 'difference' | 'standardError' | 'method' | 'p'
>;

function testPairs(pairs: readonly Pair[]): Tested {
  const clusters = groupByCluster(pairs);
  const difference = pairs.length === 0 ? null : meanDifference(pairs);
  const standardError = difference === null ? null : spreadOfMean(clusters, difference);
  const counts = { pairs: pairs.length, clusters: clusters.length };
  const measured = { ...counts, difference, standardError };
  if (difference === null || standardError === null || clusters.length < fewestPairedClusters) {
    return { ...measured, method: 'none', p: null };
  }
  if (clusters.length === pairs.length && pairs.every(({ isSingle }) => isSingle)) {
    return { ...measured, method: 'mcnemar', p: mcnemarChance(pairs) };
  }
  // Without any spread, the t statistic would divide by zero.
  const isSpread = standardError > 0;
  if (clusters.length >= fewestForT && isSpread) {
    const t = difference / standardError;
    return { ...measured, method: 't', p: twoSidedTail(t, clusters.length - 1) };
  }
  return { ...measured, method: 'signFlip', p: signFlipChance(clusters.map(sumOfDifferences)) };
}

function groupByCluster(pairs: readonly Pair[]): Pair[][] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const group = groups.get(pair.cluster);
    if (group === undefined) groups.set(pair.cluster, [pair]);
    else group.push(pair);
  }
  return [...groups.values()];
}

function meanDifference(pairs: readonly Pair[]): number {
  const mean = sumOfDifferences(pairs) / pairs.length;
  // Differences that cancel out may leave a rounding error, which is no drop.
  return Math.abs(mean) < rounding ? 0 : mean;
}

function sumOfDifferences(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, pair) => sum + pair.difference, 0);
}

function spreadOfMean(clusters: readonly Pair[][], mean: number): number | null {
  if (clusters.length < 2) return null;
  const pairs = clusters.reduce((sum, cluster) => sum + cluster.length, 0);
  const squares = clusters.reduce(
    (sum, cluster) => sum + (sumOfDifferences(cluster) - cluster.length * mean) ** 2,
    0,
  );
  const areSingle = clusters.length === pairs;
  const spread = Math.sqrt(squares / (areSingle ? pairs * (pairs - 1) : pairs * pairs));
  return spread < rounding ? 0 : spread;
}

/**
 * McNemar's test: without a real change, a changed case is as likely to get worse as to get better.
 */
function mcnemarChance(pairs: readonly Pair[]): number {
  const worse = pairs.filter(({ difference }) => difference < 0).length;
  const better = pairs.filter(({ difference }) => difference > 0).length;
  const changed = { trials: worse + better, rate: 0.5 };
  return Math.min(1, 2 * chanceOfFewer(Math.min(worse, better) + 1, changed));
}
