/**
 * What may be said about one case variant over its runs, whenever somebody looks. A history has the
 * graded trials in the order of their end, with the same case content, model and tool surface. A
 * statement that once held stays: its error rate counts all looks together.
 */
import type { PassCount } from '../gates/measures.ts';
import type { Interval } from '../verdict/wilson-interval.ts';
import { logEvidenceAbove, logEvidenceBelow } from './any-time-evidence.ts';
import { anyTimeInterval } from './any-time-interval.ts';

/** A statement that is true is rejected with a chance of at most 5 %. */
const logRejected = Math.log(20);
/** A case variant that is broken or healthy fails or passes at least this often. */
const nearlyAlways = 0.98;
/** So many passed trials in a row happen with a chance below 5 % if one in twenty fails. */
export const steadyTrials = 59;

export const rateSides = ['below', 'above', 'open'] as const;
export type RateSide = (typeof rateSides)[number];

export interface ThresholdStatement {
  readonly rate: number;
  /** The largest e-value so far, of the stated side or, if open, of either. */
  readonly e: number;
  readonly side: RateSide;
  /** The number of the trial from which on the side holds; null if it is open. */
  readonly since: number | null;
}

export interface HistoryStatements extends PassCount {
  readonly interval: Interval | null;
  readonly threshold: ThresholdStatement;
  /** Whether both "it nearly always passes" and "it nearly always fails" are rejected. */
  readonly isFlaky: boolean;
  /** Whether the last 59 trials passed. */
  readonly steady: boolean;
}

export function historyStatements(
  results: readonly boolean[],
  thresholdRate: number,
): HistoryStatements {
  return {
    trials: results.length,
    passed: results.filter((passed) => passed).length,
    interval: anyTimeInterval(results),
    threshold: thresholdStatement(results, thresholdRate),
    isFlaky: isFlaky(results),
    steady:
      results.length >= steadyTrials && results.slice(-steadyTrials).every((passed) => passed),
  };
}

type LogEvidence = (counts: PassCount, rate: number) => number;

interface Peak {
  readonly logE: number;
  /** The number of the first trial that rejects; undefined if none did. */
  readonly since: number | undefined;
}

function thresholdStatement(results: readonly boolean[], rate: number): ThresholdStatement {
  const below = peakOf(results, rate, logEvidenceBelow);
  const above = peakOf(results, rate, logEvidenceAbove);
  const side = sideOf(below, above);
  const stated = { below, above, open: below.logE > above.logE ? below : above }[side];
  // JSON has no infinity.
  const e = Math.min(Math.exp(stated.logE), Number.MAX_VALUE);
  return { rate, e, side, since: stated.since ?? null };
}

/** If both sides were reached, the true rate has changed, and the later one is the newer. */
function sideOf(below: Peak, above: Peak): RateSide {
  if (below.since === undefined) return above.since === undefined ? 'open' : 'above';
  return above.since === undefined || below.since > above.since ? 'below' : 'above';
}

function peakOf(results: readonly boolean[], rate: number, logEvidence: LogEvidence): Peak {
  let logE = Number.NEGATIVE_INFINITY;
  let since: number | undefined;
  let passed = 0;
  for (const [before, result] of results.entries()) {
    if (result) passed += 1;
    logE = Math.max(logE, logEvidence({ passed, trials: before + 1 }, rate));
    if (logE >= logRejected) since ??= before + 1;
  }
  return { logE, since };
}

function isFlaky(results: readonly boolean[]): boolean {
  const fails = peakOf(results, nearlyAlways, logEvidenceBelow).since !== undefined;
  return fails && peakOf(results, 1 - nearlyAlways, logEvidenceAbove).since !== undefined;
}

export const caseStabilities = ['flaky', 'regressed', 'undetermined'] as const;
export type CaseStability = (typeof caseStabilities)[number];

/**
 * A drop that came with a changed surface, case or model has a cause, so it is named before a case
 * variant is called flaky.
 */
export function caseStability(history: {
  readonly isFlaky: boolean;
  readonly isRegressed: boolean;
}): CaseStability {
  if (history.isRegressed) return 'regressed';
  return history.isFlaky ? 'flaky' : 'undetermined';
}
