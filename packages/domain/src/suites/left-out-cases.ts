import type { PairedComparison } from '../statistics/paired-comparison.ts';
import type { PairedTrials } from '../statistics/paired-words.ts';
import { cleanText } from '../words/clean-text.ts';
import { pairTitle } from './pair-cases.ts';

interface Graded {
  readonly eligibleTrials: number;
}

export function trialsOfPairs(
  cases: readonly { readonly base: Graded; readonly compare: Graded }[],
): PairedTrials {
  const graded = cases.filter(
    ({ base, compare }) => base.eligibleTrials > 0 && compare.eligibleTrials > 0,
  );
  return {
    base: graded.reduce((sum, { base }) => sum + base.eligibleTrials, 0),
    compare: graded.reduce((sum, { compare }) => sum + compare.eligibleTrials, 0),
  };
}

type LeftOut = Pick<PairedComparison, 'left' | 'right' | 'ungraded'>;
type Named = readonly { readonly caseKey: string; readonly title: string }[];

export function leftOutSentences(paired: LeftOut, cases: Named, base: string): string[] {
  const { left, right, ungraded } = paired;
  return [
    ...leftOut(`only ${base} has it`, left, cases),
    ...leftOut('only this run has it', right, cases),
    ...leftOut('one of the runs graded no trial of it', ungraded, cases),
  ];
}

const mostNamed = 5;

function leftOut(why: string, keys: readonly string[], cases: Named): string[] {
  if (keys.length === 0) return [];
  const names = keys
    .slice(0, mostNamed)
    .map((key) => `"${cleanText(pairTitle(key, cases), false)}"`);
  const more = keys.length - names.length;
  return [`Left out, since ${why}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}
