/** Sentences about how reliable a run's results are, for people who do not know statistics. */
import {
  type CaseChange,
  chanceWords,
  correctionLevel,
  count,
  type Flakiness,
  grouped,
  type MoreTrials,
  percent,
  type Significance,
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

interface ToldCase {
  readonly status: CaseChange;
  readonly significance: Significance;
  readonly p: number | null;
  readonly holm: number | null;
  readonly bh: number | null;
  readonly base: ComparedCounts;
  readonly compare: ComparedCounts;
}

/** Returns how a case changed, with the counts that show it; `among` is the number of cases. */
export function comparedCaseSentence(row: ToldCase, among: number): string {
  const { status, base, compare } = row;
  if (status === 'new_case') return `${caseChangeWords[status]}; ${passedOf(compare)} passed`;
  if (status === 'removed_case')
    return `${caseChangeWords[status]}; ${passedOf(base)} passed before`;
  const counts = `${passedOf(compare)} passed, before ${passedOf(base)}`;
  return `${changeWords(row)}; ${counts}; ${chanceOfCase(row, among)}`;
}

function changeWords({ status, significance }: ToldCase): string {
  if (significance === 'outside_noise' && status === 'regressed') return 'got worse';
  if (significance === 'outside_noise' && status === 'fixed') return 'got better';
  return caseChangeWords[status];
}

/**
 * Returns what chance explains. A case within the noise may still be on the list for readers, of
 * which about one in twenty is chance.
 */
function chanceOfCase({ significance, p, holm, bh }: ToldCase, among: number): string {
  if (p === null || holm === null) return 'too few trials to tell from chance';
  const corrected = `corrected over ${count(among, 'case')}`;
  if (significance === 'too_few') return `too few trials to tell from chance, ${corrected}`;
  const chance = `${chanceWords(holm)}, ${corrected}`;
  if (significance === 'outside_noise') return `outside the noise at 5 % (${chance})`;
  const isListed = bh !== null && bh <= correctionLevel;
  const list = 'worth reading: of the cases listed so, about one in twenty is chance';
  return `within the noise at 5 % (${chance})${isListed ? `; ${list}` : ''}`;
}

function passedOf({ passedTrials, eligibleTrials }: ComparedCounts): string {
  return eligibleTrials === 0 ? 'no graded trial' : `${passedTrials} of ${eligibleTrials}`;
}

type Rated = Pick<VariantStatistics, 'passedTrials' | 'eligibleTrials' | 'passRateInterval'>;

export function passRateSentence({
  passedTrials,
  eligibleTrials,
  passRateInterval,
}: Rated): string {
  if (passRateInterval === null) return 'No trial was graded.';
  const { lower, upper } = passRateInterval;
  return `${passedTrials} of ${count(eligibleTrials, 'graded trial')} passed, 95 % interval ${percent(lower)} to ${percent(upper)}.`;
}

export function moreTrialsSentence(more: MoreTrials, passThreshold: number): string {
  const bound = percent(passThreshold);
  switch (more.state) {
    case 'decided':
      return more.side === 'below'
        ? `With 95 % confidence, fewer than the required ${bound} pass.`
        : `With 95 % confidence, at least the required ${bound} pass.`;
    case 'needed':
      return `Not sure yet whether ${bound} pass: about ${count(more.trials, 'more trial')} would tell, if they pass as often.`;
    case 'beyond':
      return `Not sure whether ${bound} pass, and no number up to ${more.limit} more trials would tell.`;
  }
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
      return `Steady: all of ${graded} passed ${over}.`;
    case 'stable fail':
      return `Steady: all of ${graded} failed ${over}.`;
    case 'mixed': {
      const told = [
        ...(mixedRuns > 0 ? [`${count(mixedRuns, 'run')} had both results`] : []),
        ...(flips > 0 ? [`changed sides ${count(flips, 'time')} between runs`] : []),
      ];
      return `Flaky: ${grouped(passedTrials)} of ${graded} passed ${over}; ${told.join(', ')}.`;
    }
  }
}

/** Why flakiness is unknown, by the number of tool surfaces; undefined if it is known. */
export const toolSurfaceWords: Readonly<Record<'one' | 'several' | 'unknown', string | undefined>> =
  {
    one: undefined,
    several:
      'The tools changed during the run, so it is not compared with earlier runs for flakiness.',
    unknown: 'The tools that the trials were offered are not known, so flakiness is not reported.',
  };
