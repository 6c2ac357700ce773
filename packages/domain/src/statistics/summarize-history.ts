import type { StatedInterval } from '../verdict/variant-statistics.ts';
import { confidence } from '../verdict/wilson-interval.ts';
import {
  type CaseStability,
  caseStability,
  historyStatements,
  type ThresholdStatement,
} from './history-statements.ts';
import { resultTurns } from './result-turns.ts';
import type { VariantHistory } from './suite-histories.ts';

export interface HistorySummary {
  readonly runs: number;
  readonly trials: number;
  readonly passed: number;
  readonly interval: StatedInterval | null;
  /** Null if no pass threshold is known. */
  readonly threshold: ThresholdStatement | null;
  readonly stability: CaseStability;
  readonly steady: boolean;
}

/** `history` is undefined if the case variant was never graded. */
export function summarizeHistory(
  history: Pick<VariantHistory, 'runs' | 'results' | 'isRegressed'> | undefined,
  passThreshold: number | null,
): HistorySummary {
  const { runs = 0, results = resultTurns([]), isRegressed = false } = history ?? {};
  const { trials, passed, interval, threshold, isFlaky, steady } = historyStatements(
    results,
    passThreshold ?? 1,
  );
  return {
    runs,
    trials,
    passed,
    interval: interval && { confidence, method: 'anyTime', ...interval },
    threshold: passThreshold === null ? null : threshold,
    stability: caseStability({ isFlaky, isRegressed }),
    steady,
  };
}
