/**
 * Counts the candidates of a run. Detectors count graded trials, or played trials that called a
 * tool. Trials that a provider, a policy, a set-up failure or the time limit ended are left out. In
 * a large run, counts that need a trace cover only some trials and are marked.
 */
import type { AnalyzedTrial } from './analyzed-trial.ts';
import { type Candidate, orderCandidates } from './candidate.ts';
import { costlyModels, hallucinatedTools, slowTools, toolErrors } from './detect-by-use.ts';
import { candidatesOf, type Detection, groupBy } from './detection.ts';

export interface VariantCounts {
  readonly graded: number;
  readonly failed: number;
}

export interface CountsOfRun {
  readonly trials: number;
  readonly byVariant: ReadonlyMap<string, VariantCounts>;
}

export function detectInRun(read: readonly AnalyzedTrial[], counts: CountsOfRun): Candidate[] {
  const played = read.filter(({ wasPlayed }) => wasPlayed);
  const graded = played.filter(({ verdict }) => verdict !== undefined);
  const ofRead = candidatesOf([
    ...toolErrors(played),
    ...hallucinatedTools(graded),
    ...slowTools(played),
    ...costlyModels(played),
  ]);
  const wasAllRead = read.length >= counts.trials;
  return orderCandidates([
    ...candidatesOf(casesOf(graded, counts)),
    ...ofRead.map((one) => (wasAllRead ? one : { ...one, isOfRead: true as const })),
  ]);
}

function casesOf(
  graded: readonly AnalyzedTrial[],
  { byVariant }: Pick<CountsOfRun, 'byVariant'>,
): Detection[] {
  return [...groupBy(graded, ({ variantId }) => variantId).values()].flatMap((slice) => {
    const [first] = slice as [AnalyzedTrial];
    const subject = { kind: 'case_variant', id: first.variantId, label: first.variantLabel };
    const fired = slice.filter(({ verdict }) => verdict === 'failed');
    const { graded: sliceTotal, failed: affected } = byVariant.get(first.variantId) ?? {
      graded: slice.length,
      failed: fired.length,
    };
    const isFlaky = affected < sliceTotal;
    return (['case_fail', ...(isFlaky ? (['flaky_case'] as const) : [])] as const).map(
      (detector) => ({ detector, subject, fired, slice, counts: { affected, sliceTotal } }),
    );
  });
}
