/**
 * The histories of a suite's case variants. A change of a case, its model or the tools begins a new
 * history. If the pass rate fell from the former history to the new one, the change is the cause,
 * and the case is not flaky.
 */
import { groupBy } from '../insights/detection.ts';
import { regressedHistories } from './compare-many.ts';
import type { ResultTurns } from './result-turns.ts';

/**
 * The maximum number of results of case variants in the histories of a suite. Enough for 1,000 runs
 * with 50 case variants; older runs are omitted.
 */
export const mostResultsOfHistories = 50_000;

export interface RecordedHistory {
  readonly caseId: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly runs: number;
  /** The times in milliseconds at which the first and the last run of the history ended. */
  readonly firstEndedAt: number;
  readonly lastEndedAt: number;
  readonly lastRunId: string;
  /** Of the graded trials, in the order of their end. */
  readonly results: ResultTurns;
}

export interface VariantHistory extends RecordedHistory {
  readonly isRegressed: boolean;
}

/**
 * Returns the present history of each case variant. `histories` must be in the order in which they
 * ended. Each history is compared with its former one, corrected for the number of comparisons.
 */
export function presentHistories(histories: readonly RecordedHistory[]): VariantHistory[] {
  const ofCase = groupBy(histories, ({ caseId }) => caseId);
  const present = [...groupBy(histories, variantOf).values()].flatMap((all) => {
    const newest = all.at(-1);
    if (newest === undefined) return [];
    return [{ newest, former: all.at(-2) ?? formerModel(ofCase.get(newest.caseId), newest) }];
  });
  const changed = present.flatMap(({ newest, former }) =>
    former === undefined ? [] : [{ newest, base: former.results, compare: newest.results }],
  );
  const fell = regressedHistories(changed);
  const regressed = new Set(changed.filter((_, at) => fell[at]).map(({ newest }) => newest));
  return present.map(({ newest }) => ({ ...newest, isRegressed: regressed.has(newest) }));
}

/**
 * Returns the history of the model that the model of `newest` replaced: a history that ended before
 * `newest` began.
 */
function formerModel(
  ofCase: readonly RecordedHistory[] = [],
  newest: RecordedHistory,
): RecordedHistory | undefined {
  const isFormer = (one: RecordedHistory) =>
    variantOf(one) !== variantOf(newest) && one.lastEndedAt < newest.firstEndedAt;
  const variants = new Set(ofCase.filter(isFormer).map(variantOf));
  const stillPlayed = new Set(ofCase.filter((one) => !isFormer(one)).map(variantOf));
  return ofCase.findLast((one) => {
    const variant = variantOf(one);
    return variants.has(variant) && !stillPlayed.has(variant);
  });
}

export function variantOf({
  caseId,
  model,
  provider,
}: Pick<RecordedHistory, 'caseId' | 'model' | 'provider'>): string {
  return JSON.stringify([caseId, model, provider]);
}
