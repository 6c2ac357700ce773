/**
 * One sentence about how a suite changed between two runs. The terminal and the console share it.
 */
import {
  type CaseMovement,
  caseMovement,
  count,
  grouped,
  type MovedCase,
  percent,
} from '@proofmark/domain';

export interface ComparisonWords {
  readonly tone: 'worse' | 'better' | 'unclear' | 'other' | 'same';
  /** The first part of the sentence, up to the colon. */
  readonly head: string;
  readonly text: string;
}

/** `base` is the number of a run, or the name of a file that a test wrote. */
export function comparisonWords(
  base: number | string,
  cases: readonly MovedCase[],
): ComparisonWords {
  const by = (wanted: CaseMovement) => cases.filter((one) => caseMovement(one) === wanted);
  const [worse, better, unclear] = [by('worse'), by('better'), by('unclear')];
  const [added, removed] = [by('new').length, by('removed').length];
  const ungraded = by('notMeasured').length;
  const all = count(cases.length, 'case');
  const moved = [
    ...(worse.length > 0 ? [`${worse.length} of ${all} got worse${surely(worse)}`] : []),
    ...(better.length > 0 ? [`${better.length} of ${all} got better${surely(better)}`] : []),
    ...(unclear.length > 0 ? [`${unclear.length} of ${all} changed, which may be chance`] : []),
    ...(ungraded > 0
      ? [
          `${ungraded} of ${all} ${ungraded === 1 ? 'has' : 'have'} no graded trial in one of the runs`,
        ]
      : []),
    ...(added > 0 ? [`${added} of ${all} ${added === 1 ? 'is' : 'are'} new`] : []),
    ...(removed > 0
      ? [`${removed} of ${all} ${removed === 1 ? 'is' : 'are'} not in this run`]
      : []),
  ];
  const tone = toneOf(worse.length, better.length, unclear.length + ungraded, added + removed);
  const told = moved.length > 0 ? moved.join('; ') : sameWords(cases.length);
  const head = `${headWords[tone]} ${typeof base === 'number' ? `run ${base}` : base}`;
  return { tone, head, text: `${head}: ${told}.` };
}

const headWords: Readonly<Record<ComparisonWords['tone'], string>> = {
  worse: 'Worse than',
  better: 'Better than',
  unclear: 'Not clearly different from',
  other: 'Other cases than',
  same: 'The same as',
};

function toneOf(
  worse: number,
  better: number,
  unclear: number,
  others: number,
): ComparisonWords['tone'] {
  if (worse > 0) return 'worse';
  if (better > 0) return 'better';
  if (unclear > 0) return 'unclear';
  return others > 0 ? 'other' : 'same';
}

function surely(moved: readonly MovedCase[]): string {
  const sure = moved.filter(({ significance }) => significance === 'outside_noise').length;
  if (sure === moved.length) return ', outside the noise';
  return sure === 0
    ? ', with too few trials to tell from chance'
    : `, ${sure} of them outside the noise`;
}

function sameWords(cases: number): string {
  if (cases === 0) return 'neither has a case';
  return cases === 1
    ? 'its one case came out as before'
    : `every one of ${count(cases, 'case')} came out as before`;
}

/** The factor from which on a change is written as "10 times" instead of as a percentage. */
const factorFrom = 10;

/** Returns a relative change in words: "+50 %", "−20 %", "86 times as long". */
export function relativeWords(percentDelta: number, asWhat: 'long' | 'many' | 'much'): string {
  const factor = 1 + percentDelta / 100;
  if (factor >= factorFrom) return `${grouped(Math.round(factor))} times as ${asWhat}`;
  return `${percentDelta < 0 ? '−' : '+'}${percent(Math.abs(percentDelta) / 100)}`;
}
