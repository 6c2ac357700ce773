import {
  type CaseMovement,
  type Correction,
  caseMovement,
  count,
  grouped,
  isPairedDrop,
  isPairedRise,
  leftOutSentences,
  type MovedCase,
  type PairedFigures,
  pairedBrief,
  pairedSentence,
  percent,
  trialsOfPairs,
} from '@proofmark/domain';

export interface ComparisonWords {
  readonly tone: 'worse' | 'better' | 'unclear' | 'other' | 'same';
  readonly head: string;
  readonly text: string;
  readonly details: readonly string[];
}

type NamedCase = MovedCase & { readonly caseKey: string; readonly title: string };

export interface ComparisonOfRuns {
  readonly cases: readonly NamedCase[];
  readonly paired:
    | (PairedFigures & Readonly<Record<'left' | 'right' | 'ungraded', readonly string[]>>)
    | null;
  readonly correction: Pick<Correction, 'cases' | 'level'>;
}

/** `base` is a run number, or the name of a test document. */
export function comparisonWords(
  base: number | string,
  compared: ComparisonOfRuns,
): ComparisonWords {
  const { cases, paired } = compared;
  const amount = (wanted: CaseMovement) =>
    cases.filter((one) => caseMovement(one) === wanted).length;
  const all = count(cases.length, 'case');
  const part = ([wanted, one, several = one]: (typeof movedParts)[number]) => {
    const found = amount(wanted);
    return found === 0 ? [] : [`${found} of ${all} ${found === 1 ? one : several}`];
  };
  const tone = toneOf(amount, paired);
  const name = nameOfBase(base);
  const details = detailsOf(name, compared);
  const basis = basisWords(compared, tone);
  const turned = tone === 'unclear' ? turnedWords(amount) : undefined;
  if (turned !== undefined) {
    const [head, movement] = turned;
    const others = movedParts.filter(([wanted]) => wanted !== movement).flatMap(part);
    const rest = `otherwise not clearly different from ${name}${basis}`;
    return { tone, head, text: `${[head, ...others, rest].join('; ')}.`, details };
  }
  const moved = movedParts.flatMap(part);
  const changes = moved.length > 0 ? moved.join('; ') : sameWords(cases.length);
  const head = `${headWords[tone]} ${name}`;
  return { tone, head, text: `${head}${basis}: ${changes}.`, details };
}

const movedParts: readonly (readonly [CaseMovement, one: string, several?: string])[] = [
  ['worse', 'got worse'],
  ['better', 'got better'],
  ['failsNow', 'fails now and passed before', 'fail now and passed before'],
  ['passesNow', 'passes now and failed before', 'pass now and failed before'],
  ['unclear', 'changed, which may be chance'],
  [
    'notMeasured',
    'has no graded trial in one of the runs',
    'have no graded trial in one of the runs',
  ],
  ['new', 'is new', 'are new'],
  ['removed', 'is not in this run', 'are not in this run'],
];

/** A case without a language model turns by no chance, so such cases come first, failures before. */
function turnedWords(
  amount: (movement: CaseMovement) => number,
): readonly [head: string, movement: CaseMovement] | undefined {
  const [failing, passing] = [amount('failsNow'), amount('passesNow')];
  if (failing > 0) {
    const fail = failing === 1 ? 'fails' : 'fail';
    return [`${count(failing, 'case')} ${fail} now that passed before`, 'failsNow'];
  }
  if (passing === 0) return undefined;
  const pass = passing === 1 ? 'passes' : 'pass';
  return [`${count(passing, 'case')} ${pass} now that failed before`, 'passesNow'];
}

function nameOfBase(base: number | string): string {
  return typeof base === 'number' ? `run ${base}` : base;
}

/** Example: " (paired over 40 cases, p = 0.003; corrected over 40 cases)". */
function basisWords({ paired, correction }: ComparisonOfRuns, tone: string): string {
  if (tone === 'same' || tone === 'other' || correction.cases === 0) return '';
  const corrected = `corrected over ${count(correction.cases, 'case')}`;
  return ` (${paired === null ? corrected : `${pairedBrief(paired)}; ${corrected}`})`;
}

function detailsOf(base: string, { cases, paired, correction }: ComparisonOfRuns): string[] {
  if (paired === null || correction.cases === 0) return [];
  return [
    pairedSentence(paired, trialsOfPairs(cases), base),
    `Single cases are compared by Fisher's exact test, corrected over ${count(correction.cases, 'case')} by Holm: if nothing changed, the chance that any is called better or worse is at most ${percent(correction.level)}.`,
    ...leftOutSentences(paired, cases, base),
  ];
}

const headWords: Readonly<Record<ComparisonWords['tone'], string>> = {
  worse: 'Worse than',
  better: 'Better than',
  unclear: 'Not clearly different from',
  other: 'Other cases than',
  same: 'The same as',
};

/**
 * A run is worse or better if the paired comparison or a single case shows a change beyond chance.
 * If both apply, worse wins.
 */
function toneOf(
  amount: (movement: CaseMovement) => number,
  paired: ComparisonOfRuns['paired'],
): ComparisonWords['tone'] {
  if ((paired !== null && isPairedDrop(paired) === true) || amount('worse') > 0) return 'worse';
  if ((paired !== null && isPairedRise(paired)) || amount('better') > 0) return 'better';
  const isUnclear = (['failsNow', 'passesNow', 'unclear', 'notMeasured'] as const).some(
    (movement) => amount(movement) > 0,
  );
  if (isUnclear) return 'unclear';
  return amount('new') + amount('removed') > 0 ? 'other' : 'same';
}

function sameWords(cases: number): string {
  if (cases === 0) return 'neither has a case';
  return cases === 1
    ? 'its one case came out as before'
    : `every one of ${count(cases, 'case')} came out as before`;
}

/** A change by at least this factor is written as "10 times" instead of as a percentage. */
const factorFrom = 10;

/** Examples: "+50 %", "−20 %", "86 times as long". */
export function relativeWords(percentDelta: number, asWhat: 'long' | 'many' | 'much'): string {
  const factor = 1 + percentDelta / 100;
  if (factor >= factorFrom) return `${grouped(Math.round(factor))} times as ${asWhat}`;
  return `${percentDelta < 0 ? '−' : '+'}${percent(Math.abs(percentDelta) / 100)}`;
}
