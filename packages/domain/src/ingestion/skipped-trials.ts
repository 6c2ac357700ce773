/**
 * The rules for skipped tests in a report.
 *
 * - `ignore` leaves them out of the decision, `fail` counts them as failed.
 * - `inconclusive` treats them as never attempted under policy v2. A legacy run, which is decided
 *   by one percentage over all trials, cannot be inconclusive. It gets a verdict only if no result
 *   of the skipped tests could change that verdict.
 * - Without a rule, the percentage is taken over all recorded trials, and a skipped trial counts as
 *   not passed.
 */
import type { TaskVerdict } from '../verdict/decision.ts';
import { legacyResult } from '../verdict/legacy-result.ts';
import type { AlikeTrials } from './alike-trials.ts';

export const skippedRules = ['ignore', 'fail', 'inconclusive'] as const;
export type SkippedRule = (typeof skippedRules)[number];

/**
 * `counted` trials decide the run under policy v2. `ignored` trials only reduce the number of
 * missing declared trials.
 */
export function trialsWithSkipped(
  trials: readonly AlikeTrials[],
  rule: SkippedRule | undefined,
): { readonly counted: readonly AlikeTrials[]; readonly ignored: readonly AlikeTrials[] } {
  if (rule === 'ignore') {
    return {
      counted: trials.filter((trial) => !isSkipped(trial)),
      ignored: trials.filter(isSkipped),
    };
  }
  if (rule !== 'fail') return { counted: trials, ignored: [] };
  const counted = trials.map(
    (trial): AlikeTrials =>
      isSkipped(trial) ? { ...trial, status: 'completed', result: 'failed' } : trial,
  );
  return { counted, ignored: [] };
}

export function shareWithSkipped(
  counts: { readonly total: number; readonly passed: number },
  trials: readonly Pick<AlikeTrials, 'status' | 'count'>[],
  minimumPassRate: number,
  rule: SkippedRule | undefined,
): { readonly result: TaskVerdict | null; readonly integrityError?: string } {
  const { total, passed } = counts;
  const skipped = trials.filter(isSkipped).reduce((sum, { count }) => sum + count, 0);
  const resultOf = (of: typeof counts) => legacyResult(of, minimumPassRate) ?? null;
  if (skipped > 0 && skipped === total && rule !== 'fail' && rule !== undefined) {
    return { result: null, integrityError: allSkipped };
  }
  if (rule === 'ignore') return { result: resultOf({ total: total - skipped, passed }) };
  const atWorst = resultOf(counts);
  if (rule !== 'inconclusive' || atWorst === resultOf({ total, passed: passed + skipped })) {
    return { result: atWorst };
  }
  const were = skipped === 1 ? 'was' : 'were';
  return {
    result: null,
    integrityError: `${skipped} of ${total} tests ${were} skipped, and ${skipped === 1 ? 'its result' : 'their results'} would decide whether ${minimumPassRate} % pass.`,
  };
}

export const allSkipped = 'Every test of this report was skipped.';

function isSkipped({ status }: Pick<AlikeTrials, 'status'>): boolean {
  return status === 'skipped';
}
