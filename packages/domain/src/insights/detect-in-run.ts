/**
 * The candidates of an eval run, by counting. A slice is made of graded trials, or of played ones that called a tool;
 * what a provider, a policy, a set-up or the clock ended stands in none.
 */
import type { AnalyzedTrial } from './analyzed-trial.ts';
import { type Candidate, orderCandidates } from './candidate.ts';
import { costlyModels, hallucinatedTools, slowTools, toolErrors } from './detect-by-use.ts';
import { candidatesOf, type Detection, groupBy } from './detection.ts';

export function detectInRun(trials: readonly AnalyzedTrial[]): Candidate[] {
  const played = trials.filter(({ wasPlayed }) => wasPlayed);
  const graded = played.filter(({ verdict }) => verdict !== undefined);
  return orderCandidates(
    candidatesOf([
      ...casesOf(graded),
      ...toolErrors(played),
      ...hallucinatedTools(graded),
      ...slowTools(played),
      ...costlyModels(played),
    ]),
  );
}

function casesOf(graded: readonly AnalyzedTrial[]): Detection[] {
  return [...groupBy(graded, ({ variantId }) => variantId).values()].flatMap((slice) => {
    const [first] = slice as [AnalyzedTrial];
    const subject = { kind: 'case_variant', id: first.variantId, label: first.variantLabel };
    const fired = slice.filter(({ verdict }) => verdict === 'failed');
    const isFlaky = fired.length < slice.length;
    return (['case_fail', ...(isFlaky ? (['flaky_case'] as const) : [])] as const).map(
      (detector) => ({ detector, subject, fired, slice }),
    );
  });
}
