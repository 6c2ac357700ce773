import { grouped, rowsShownFirst, type SummaryVerdict, type TrialOutcome } from '@proofmark/domain';

type Outcomes = Readonly<Record<TrialOutcome, number>>;

/**
 * "Where it breaks" is the heading only for a failed run, because trials may fail in a run that
 * passed.
 */
export function stageMapHeading(verdict: SummaryVerdict | undefined, { failed }: Outcomes): string {
  if (failed === 0) return 'Stages';
  return verdict === 'failed' ? 'Where it breaks' : 'Failed trials by stage';
}

/**
 * Returns the number of rows by outcome that the stage map does not show at first, in the order of
 * its rows. Undefined if it shows all rows.
 */
export function restOfStageMap(outcomes: Outcomes): string | undefined {
  let shown = rowsShownFirst(outcomes);
  const parts = restWords.flatMap(([outcome, words]) => {
    const rest = Math.max(0, outcomes[outcome] - shown);
    shown -= outcomes[outcome] - rest;
    return rest === 0 ? [] : [`${grouped(rest)} ${outcome === 'failed' ? 'more ' : ''}${words}`];
  });
  return parts.length === 0 ? undefined : `Not shown: ${parts.join(', ')}.`;
}

const restWords: readonly (readonly [TrialOutcome, string])[] = [
  ['failed', 'failed'],
  ['notGraded', 'not graded'],
  ['toCome', 'to come'],
  ['passed', 'passed'],
];
