/**
 * The statistical statements about one case variant over its runs. They may be checked at any time,
 * since their error rates cover all checks together. A history contains graded trials in the order
 * of their end, with the same case content, model and tools.
 */
import type { PassCount } from '../gates/measures.ts';
import type { Interval } from '../verdict/wilson-interval.ts';
import {
  boundOfEvidenceAbove,
  boundOfEvidenceBelow,
  type EvidenceBound,
  logEvidenceAbove,
  logEvidenceBelow,
} from './any-time-evidence.ts';
import { anyTimeInterval } from './any-time-interval.ts';

/** 1 / 0.05: a true statement is rejected with a chance of at most 5 %. */
const logRejected = Math.log(20);
/** A broken case variant fails, and a healthy one passes, at least this share of its trials. */
const nearlyAlways = 0.98;
/** If one trial in twenty fails, this many passed trials in a row have a chance below 5 %. */
export const steadyTrials = 59;

export const rateSides = ['below', 'above', 'open'] as const;
export type RateSide = (typeof rateSides)[number];

export interface ThresholdStatement {
  readonly rate: number;
  /** The largest e-value so far: of the stated side, or of either side if `side` is `open`. */
  readonly e: number;
  readonly side: RateSide;
  /** The number of the trial that decided the side; null if the side is open. */
  readonly since: number | null;
}

export interface HistoryStatements extends PassCount {
  readonly interval: Interval | null;
  readonly threshold: ThresholdStatement;
  /** True if "it nearly always passes" and "it nearly always fails" are both rejected. */
  readonly isFlaky: boolean;
  /** Whether the last `steadyTrials` trials passed. */
  readonly steady: boolean;
}

export function historyStatements(
  results: readonly boolean[],
  thresholdRate: number,
): HistoryStatements {
  const passedAfter = countPassed(results);
  return {
    trials: results.length,
    passed: passedAfter.at(-1) ?? 0,
    interval: anyTimeInterval(results),
    threshold: thresholdStatement(passedAfter, thresholdRate),
    isFlaky: isFlaky(passedAfter),
    steady: isSteady(results),
  };
}

export function isSteady(results: readonly boolean[]): boolean {
  return results.length >= steadyTrials && results.slice(-steadyTrials).every((passed) => passed);
}

/** The evidence against one side of a rate, and a cheap upper bound of that evidence. */
interface Side {
  readonly logEvidence: (counts: PassCount, rate: number) => number;
  readonly boundOf: (rate: number) => EvidenceBound;
}
const belowSide: Side = { logEvidence: logEvidenceBelow, boundOf: boundOfEvidenceBelow };
const aboveSide: Side = { logEvidence: logEvidenceAbove, boundOf: boundOfEvidenceAbove };

interface Peak {
  readonly logE: number;
  /** The number of the first trial that rejected the statement; undefined if none did. */
  readonly since: number | undefined;
}

function thresholdStatement(passedAfter: PassedAfter, rate: number): ThresholdStatement {
  const below = peakOf(passedAfter, rate, belowSide);
  const above = peakOf(passedAfter, rate, aboveSide);
  const side = sideOf(below, above);
  const stated = { below, above, open: below.logE > above.logE ? below : above }[side];
  // JSON has no infinity.
  const e = Math.min(Math.exp(stated.logE), Number.MAX_VALUE);
  return { rate, e, side, since: stated.since ?? null };
}

/**
 * If both sides were reached, the true rate has changed, and the side that was reached later
 * counts.
 */
function sideOf(below: Peak, above: Peak): RateSide {
  if (below.since === undefined) return above.since === undefined ? 'open' : 'above';
  return above.since === undefined || below.since > above.since ? 'below' : 'above';
}

/** The number of passed trials after each trial. */
type PassedAfter = Uint32Array;

function countPassed(results: readonly boolean[]): PassedAfter {
  const passedAfter = new Uint32Array(results.length);
  let passed = 0;
  for (let at = 0; at < results.length; at += 1) {
    if (results[at]) passed += 1;
    passedAfter[at] = passed;
  }
  return passedAfter;
}

/** Without trials the e-value is 1, so the peak is at least 1 (0 as a logarithm). */
function peakOf(passedAfter: PassedAfter, rate: number, side: Side): Peak {
  const bound = side.boundOf(rate);
  let logE = 0;
  // The last trial usually has the most evidence. When read backwards, nearly all other trials are
  // skipped by the cheap bound.
  for (let trials = passedAfter.length; trials > 0; trials -= 1) {
    const passed = passedAfter[trials - 1] ?? 0;
    if (bound(passed, trials) <= logE) continue;
    logE = Math.max(logE, side.logEvidence({ passed, trials }, rate));
  }
  return { logE, since: logE < logRejected ? undefined : firstRejected(passedAfter, rate, side) };
}

function firstRejected(
  passedAfter: PassedAfter,
  rate: number,
  { logEvidence, boundOf }: Side,
): number | undefined {
  const bound = boundOf(rate);
  for (let trials = 1; trials <= passedAfter.length; trials += 1) {
    const passed = passedAfter[trials - 1] ?? 0;
    if (bound(passed, trials) < logRejected) continue;
    if (logEvidence({ passed, trials }, rate) >= logRejected) return trials;
  }
  return undefined;
}

function isFlaky(passedAfter: PassedAfter): boolean {
  if (firstRejected(passedAfter, nearlyAlways, belowSide) === undefined) return false;
  return firstRejected(passedAfter, 1 - nearlyAlways, aboveSide) !== undefined;
}

export const caseStabilities = ['flaky', 'regressed', 'undetermined'] as const;
export type CaseStability = (typeof caseStabilities)[number];

/**
 * A drop after a change of the tools, case or model has a known cause, so `regressed` wins over
 * `flaky`.
 */
export function caseStability(history: {
  readonly isFlaky: boolean;
  readonly isRegressed: boolean;
}): CaseStability {
  if (history.isRegressed) return 'regressed';
  return history.isFlaky ? 'flaky' : 'undetermined';
}
