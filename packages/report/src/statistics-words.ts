import {
  type CaseChange,
  type CaseStability,
  caseMovement,
  chanceWords,
  correctionLevel,
  count,
  type Flakiness,
  grouped,
  type HistorySummary,
  isBuiltInModel,
  mostResultsOfHistories,
  percent,
  type Significance,
  type StatedInterval,
  steadyTrials,
  type ThresholdStatement,
  type VariantStatistics,
} from '@proofmark/domain';

const caseChangeWords: Readonly<Record<CaseChange, string>> = {
  unchanged_passed: 'passed as before',
  unchanged_failed: 'failed as before',
  regressed: 'fails now, passed before',
  fixed: 'passes now, failed before',
  new_case: 'is new',
  removed_case: 'is not in this run',
  changed: 'changed',
};

interface ComparedCounts {
  readonly passedTrials: number;
  readonly eligibleTrials: number;
}

interface ShownCase {
  readonly status: CaseChange;
  readonly significance: Significance;
  readonly p: number | null;
  readonly holm: number | null;
  readonly bh: number | null;
  readonly base: ComparedCounts;
  readonly compare: ComparedCounts;
}

export function comparedCaseSentence(row: ShownCase, among: number): string {
  const { status, base, compare } = row;
  if (status === 'new_case') return `${caseChangeWords[status]}; ${passedOf(compare)} passed`;
  if (status === 'removed_case')
    return `${caseChangeWords[status]}; ${passedOf(base)} passed before`;
  const counts = `${passedOf(compare)} passed, before ${passedOf(base)}`;
  const change = `${changeWords(row)}; ${counts}`;
  const movement = caseMovement(row);
  // With so few trials, chance cannot be stated, and a case without a language model has none.
  if (movement === 'failsNow' || movement === 'passesNow') return change;
  return `${change}; ${chanceOfCase(row, among)}`;
}

function changeWords({ status, significance }: ShownCase): string {
  if (significance === 'outside_noise' && status === 'regressed') return 'got worse';
  if (significance === 'outside_noise' && status === 'fixed') return 'got better';
  return caseChangeWords[status];
}

/**
 * Describes a case's change with its p-value, corrected over all cases (Holm). A change within the
 * noise can still pass the weaker Benjamini-Hochberg correction; about one in twenty of those is
 * due to chance.
 */
function chanceOfCase({ significance, p, holm, bh }: ShownCase, among: number): string {
  if (p === null || holm === null) return 'too few trials to rule out chance';
  const corrected = `corrected over ${count(among, 'case')}`;
  if (significance === 'too_few') return `too few trials to rule out chance, ${corrected}`;
  const chance = `${chanceWords(holm)}, ${corrected}`;
  if (significance === 'outside_noise') return `outside the noise at 5 % (${chance})`;
  const isListed = bh !== null && bh <= correctionLevel;
  const list = 'worth reading: of the cases listed so, about one in twenty is chance';
  return `within the noise at 5 % (${chance})${isListed ? `; ${list}` : ''}`;
}

function passedOf({ passedTrials, eligibleTrials }: ComparedCounts): string {
  return eligibleTrials === 0 ? 'no graded trial' : `${passedTrials} of ${eligibleTrials}`;
}

interface Rated {
  readonly passedTrials: number;
  readonly eligibleTrials: number;
  readonly passRateInterval: StatedInterval | null;
}

/** Covers this run only. The history has its own interval over several runs. */
export function passRateSentence({
  passedTrials,
  eligibleTrials,
  passRateInterval,
}: Rated): string {
  if (eligibleTrials === 0) return 'No trial was graded.';
  const passed = `${passedTrials} of ${count(eligibleTrials, 'graded trial')} passed`;
  if (passRateInterval?.method !== 'wilson') return `${passed}.`;
  return `${passed}, 95 % interval ${intervalWords(passRateInterval)}.`;
}

function intervalWords({ lower, upper }: Pick<StatedInterval, 'lower' | 'upper'>): string {
  return `${percent(lower)} to ${percent(upper)}`;
}

/** The interval over the history stays valid however often it is evaluated. */
export function historySentences(history: HistorySummary, model: string | null): string[] {
  const { runs, trials, passed, interval, threshold, stability, steady } = history;
  if (trials === 0) return [];
  const over = `${grouped(passed)} of ${count(trials, 'graded trial')} passed over ${count(runs, 'run')} with the same content, model and tools`;
  const range =
    interval === null
      ? 'no single pass rate explains all of them, so the rate changed over time'
      : `95 % any-time interval ${intervalWords(interval)}, valid at every look`;
  return [
    ...(runs > 1 ? [`History: ${over}; ${range}.`] : []),
    ...(threshold === null ? [] : [thresholdSentence(threshold, model)]),
    ...(stability === 'undetermined' ? [] : [stabilityWords[stability]]),
    ...(steady ? [`Steady: its last ${steadyTrials} graded trials all passed.`] : []),
  ];
}

/** Undefined if the histories are whole. */
export function omittedRunsSentence(omittedRuns = 0): string | undefined {
  if (omittedRuns === 0) return undefined;
  const are = omittedRuns === 1 ? 'is' : 'are';
  return `The histories of a suite have at most ${grouped(mostResultsOfHistories)} results of case variants, so ${count(omittedRuns, 'older run')} ${are} left out.`;
}

const stabilityWords: Readonly<Record<Exclude<CaseStability, 'undetermined'>, string>> = {
  flaky:
    'Flaky: these results fit neither a case that passes nearly always (98 %) nor one that fails nearly always, at 5 % each.',
  regressed:
    "Regressed: with other tools, other content or another model it passed more often before (Fisher's exact test at 5 %, corrected over the case variants that changed).",
};

function thresholdSentence(
  { rate, e, side, since }: ThresholdStatement,
  model: string | null,
): string {
  const bound = percent(rate);
  const strength = `e-value ${evidenceWords(e)}; 20 decides at 5 %`;
  if (side === 'below') return `Below the required ${bound} since trial ${since} (${strength}).`;
  if (side === 'above') return `Above the required ${bound} since trial ${since} (${strength}).`;
  const open = `It is still open whether it reaches the required ${bound} (${strength}).`;
  // A plan plays such a case once.
  if (model === null || isBuiltInModel(model)) return open;
  return `${open} The command proofmark eval plan SUITE --drop 0.1 shows how many trials a decision needs.`;
}

function evidenceWords(e: number): string {
  if (e >= 1000) return 'over 1,000';
  return String(Number(e.toPrecision(2)));
}

export function passHatSentence(
  k: number,
  { passHatK, largestK }: Pick<VariantStatistics, 'passHatK' | 'largestK'>,
): string {
  if (passHatK !== null) return `Chance that ${count(k, 'trial')} all pass: ${percent(passHatK)}.`;
  const graded = largestK === 0 ? 'none was graded' : `only ${grouped(largestK)} graded`;
  return `Chance that ${count(k, 'trial')} all pass: not known, ${graded}.`;
}

export function flakinessSentence(flakiness: Flakiness): string {
  const { runs, eligibleTrials, passedTrials, mixedRuns, flips, stability } = flakiness;
  const graded = count(eligibleTrials, 'graded trial');
  const over = `over ${count(runs, 'run')} with the same tools`;
  switch (stability) {
    case 'unmeasured':
      return 'No run with the same tools has a graded trial of it.';
    case 'single trial':
      return 'With the same tools it was graded only once, which says nothing about flakiness.';
    case 'stable pass':
      return `All of ${graded} passed ${over}.`;
    case 'stable fail':
      return `All of ${graded} failed ${over}.`;
    case 'mixed': {
      const facts = [
        ...(mixedRuns > 0 ? [`${count(mixedRuns, 'run')} had both results`] : []),
        ...(flips > 0 ? [`changed sides ${count(flips, 'time')} between runs`] : []),
      ];
      return `Mixed: ${grouped(passedTrials)} of ${graded} passed ${over}; ${facts.join(', ')}.`;
    }
  }
}

/**
 * Reasons why flakiness is unknown, by the number of different tool lists in the run; undefined if
 * it is known.
 */
export const toolSurfaceWords: Readonly<Record<'one' | 'several' | 'unknown', string | undefined>> =
  {
    one: undefined,
    several:
      'The tools changed during the run, so it is not compared with earlier runs for flakiness.',
    unknown: 'The tools that the trials were offered are not known, so flakiness is not reported.',
  };
