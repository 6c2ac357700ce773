/**
 * Describes a paired comparison in words: the compared cases, the number of trials and the level. A
 * single comparison of two runs needs no correction for multiple comparisons.
 */
import { count, grouped, percent } from '../words/sentence.ts';
import {
  fewestPairedClusters,
  isPairedDrop,
  type PairedComparison,
  type PairedMethod,
  pairedLevel,
} from './paired-comparison.ts';

export type PairedFigures = Pick<
  PairedComparison,
  'pairs' | 'clusters' | 'difference' | 'method' | 'p' | 'level'
>;

export interface PairedTrials {
  readonly base: number;
  readonly compare: number;
}

/** Returns text such as "p = 0.003", with enough digits to distinguish the value from the level. */
export function chanceWords(p: number, level: number = pairedLevel): string {
  if (p < 0.001) return 'p < 0.001';
  const isWithin = (chance: number) => chance <= level * (1 + 1e-9);
  for (let digits = 2; digits < 15; digits += 1) {
    const rounded = Number(p.toPrecision(digits));
    if (isWithin(rounded) === isWithin(p)) return `p = ${rounded}`;
  }
  return `p = ${p}`;
}

export function pairedBrief(paired: PairedFigures): string {
  const over = `paired over ${pairsWords(paired)}`;
  return paired.p === null ? `${over}, too few to compare` : `${over}, ${chanceWords(paired.p)}`;
}

const methodWords: Readonly<Record<Exclude<PairedMethod, 'none'>, string>> = {
  t: "Student's t",
  signFlip: 'an exact sign-flip test',
  mcnemar: "McNemar's exact test",
};

/** `base` is the name of the earlier run. */
export function pairedSentence(paired: PairedFigures, trials: PairedTrials, base: string): string {
  const { difference, method, p, level } = paired;
  const size = `${count(trials.compare, 'trial')}; in ${base}: ${grouped(trials.base)}`;
  if (difference === null || p === null || method === 'none') {
    const are = paired.clusters === 1 ? 'is' : 'are';
    return `A paired comparison needs ${fewestPairedClusters} cases with graded trials in both runs; there ${are} ${paired.clusters} (${size}).`;
  }
  const answer = `${chanceWords(p, level)}, two-sided, by ${methodWords[method]}`;
  return `Paired over ${pairsWords(paired)} (${size}), ${differenceWords(difference)}; ${answer}: ${outcomeWords(paired)} at the level of ${percent(level)}, not corrected for several comparisons.`;
}

function pairsWords({ pairs, clusters }: PairedFigures): string {
  const of = count(clusters, 'case');
  return clusters === pairs ? of : `${pairs} rows and models of ${of}`;
}

function differenceWords(difference: number): string {
  const points = Number((Math.abs(difference) * 100).toFixed(1));
  if (difference === 0) return 'the pass rate is on average the same';
  const size = points === 0 ? 'less than 0.1' : String(points);
  return `the pass rate is on average ${size} percentage points ${difference < 0 ? 'lower' : 'higher'}`;
}

function outcomeWords(paired: PairedFigures): string {
  if (isPairedDrop(paired) === true) return 'a drop';
  return isPairedRise(paired) ? 'a rise' : 'no difference beyond chance';
}

export function isPairedRise({ difference, p }: Pick<PairedFigures, 'difference' | 'p'>): boolean {
  return isPairedDrop({ p, difference: difference === null ? null : -difference }) === true;
}
