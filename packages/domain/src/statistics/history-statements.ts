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
import { intervalOfTurns } from './any-time-interval.ts';
import type { ResultTurns, SequenceEnd } from './result-turns.ts';

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

export function historyStatements(turns: ResultTurns, thresholdRate: number): HistoryStatements {
  return {
    trials: turns.trials,
    passed: turns.passed,
    interval: intervalOfTurns(turns),
    threshold: thresholdStatement(turns, thresholdRate),
    isFlaky: isFlaky(turns),
    steady: isSteady(turns),
  };
}

export function isSteady({ trials, ofPassed }: ResultTurns): boolean {
  const last = ofPassed.at(-1);
  return last !== undefined && last.trials === trials && last.length >= steadyTrials;
}

/** The evidence against one side of a rate, and a cheap upper bound of that evidence. */
interface Side {
  readonly logEvidence: (counts: PassCount, rate: number) => number;
  readonly boundOf: (rate: number) => EvidenceBound;
  /** The sequences of trials that support this side. */
  readonly sequences: (turns: ResultTurns) => readonly SequenceEnd[];
  /** The counts so many trials before the end of such a sequence. */
  readonly before: (end: SequenceEnd, trials: number) => PassCount;
}
const belowSide: Side = {
  logEvidence: logEvidenceBelow,
  boundOf: boundOfEvidenceBelow,
  sequences: ({ ofFailed }) => ofFailed,
  before: ({ passed, trials }, ago) => ({ passed, trials: trials - ago }),
};
const aboveSide: Side = {
  logEvidence: logEvidenceAbove,
  boundOf: boundOfEvidenceAbove,
  sequences: ({ ofPassed }) => ofPassed,
  before: ({ passed, trials }, ago) => ({ passed: passed - ago, trials: trials - ago }),
};

interface Peak {
  readonly logE: number;
  /** The number of the first trial that rejected the statement; undefined if none did. */
  readonly since: number | undefined;
}

function thresholdStatement(turns: ResultTurns, rate: number): ThresholdStatement {
  const below = peakOf(turns, rate, belowSide);
  const above = peakOf(turns, rate, aboveSide);
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

/** Without trials the e-value is 1, so the peak is at least 1 (0 as a logarithm). */
function peakOf(turns: ResultTurns, rate: number, side: Side): Peak {
  const bound = side.boundOf(rate);
  let logE = 0;
  // The last trials usually have the most evidence. When read backwards, nearly all others are
  // skipped by the cheap bound.
  for (const end of side.sequences(turns).toReversed()) {
    if (bound(end.passed, end.trials) <= logE) continue;
    logE = Math.max(logE, side.logEvidence(end, rate));
  }
  return { logE, since: logE < logRejected ? undefined : firstRejected(turns, rate, side) };
}

function firstRejected(turns: ResultTurns, rate: number, side: Side): number | undefined {
  const bound = side.boundOf(rate);
  const isRejected = (counts: PassCount) =>
    bound(counts.passed, counts.trials) >= logRejected &&
    side.logEvidence(counts, rate) >= logRejected;
  const end = side.sequences(turns).find(isRejected);
  if (end === undefined) return undefined;
  // Before the sequence the statement was not rejected, and within it the evidence grows.
  let rejectedAgo = 0;
  let openAgo = end.length;
  while (openAgo - rejectedAgo > 1) {
    const middle = Math.floor((openAgo + rejectedAgo) / 2);
    if (isRejected(side.before(end, middle))) rejectedAgo = middle;
    else openAgo = middle;
  }
  return end.trials - rejectedAgo;
}

function isFlaky(turns: ResultTurns): boolean {
  if (firstRejected(turns, nearlyAlways, belowSide) === undefined) return false;
  return firstRejected(turns, 1 - nearlyAlways, aboveSide) !== undefined;
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
