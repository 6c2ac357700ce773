/**
 * Compares the trials of many cases on two sides. Each case gets the p-value of Fisher's exact test
 * and two adjusted p-values: Holm's for gates, Benjamini and Hochberg's for lists. A case without
 * graded trials on one side is not compared.
 */
import type { PassCount } from '../gates/measures.ts';
import { adjustByBenjaminiHochberg, adjustByHolm } from './adjust-for-many.ts';
import { fisherExact, smallestFisherExact } from './fisher-exact.ts';

export const significances = ['outside_noise', 'within_noise', 'too_few'] as const;
export type Significance = (typeof significances)[number];

export const correctionLevel = 0.05;
/** A p-value that equals the level except for rounding counts as not above the level. */
const allowed = correctionLevel * (1 + 1e-9);

export interface ComparedCounts {
  readonly base: PassCount;
  readonly compare: PassCount;
}

/** All three are null if a side has no graded trials. */
export interface ComparedChances {
  readonly p: number | null;
  readonly holm: number | null;
  readonly bh: number | null;
  readonly significance: Significance;
}

export interface Correction {
  readonly cases: number;
  readonly level: typeof correctionLevel;
  readonly gate: 'holm';
  readonly list: 'benjaminiHochberg';
}

export interface ComparedMany {
  readonly correction: Correction;
  /** In the order of the given cases. */
  readonly cases: readonly ComparedChances[];
}

export function compareMany(cases: readonly ComparedCounts[]): ComparedMany {
  const compared = cases.flatMap((counts, at) => {
    const p = fisherExact(counts.base, counts.compare);
    return p === null ? [] : [{ at, p }];
  });
  const chances = compared.map(({ p }) => p);
  const holm = adjustByHolm(chances);
  const bh = adjustByBenjaminiHochberg(chances);
  const rankOf = new Map(compared.map(({ at }, rank) => [at, rank]));
  return {
    correction: {
      cases: compared.length,
      level: correctionLevel,
      gate: 'holm',
      list: 'benjaminiHochberg',
    },
    cases: cases.map((counts, at) => {
      const rank = rankOf.get(at) ?? -1;
      const adjusted = holm[rank] ?? null;
      const significance = significanceOf(counts, adjusted, compared.length);
      return { p: chances[rank] ?? null, holm: adjusted, bh: bh[rank] ?? null, significance };
    }),
  };
}

function significanceOf(
  { base, compare }: ComparedCounts,
  holm: number | null,
  compared: number,
): Significance {
  if (holm === null) return 'too_few';
  if (holm <= allowed) return 'outside_noise';
  const smallest = smallestFisherExact(base.trials, compare.trials) ?? 1;
  return smallest * compared > allowed ? 'too_few' : 'within_noise';
}

/**
 * Returns for each case variant whether its pass rate fell below the rate of its former history,
 * with Holm's correction over all variants.
 */
export function regressedHistories(histories: readonly ComparedCounts[]): boolean[] {
  const { cases } = compareMany(histories);
  return histories.map(({ base, compare }, at) => {
    const fell = compare.passed * base.trials < base.passed * compare.trials;
    return fell && cases[at]?.significance === 'outside_noise';
  });
}
