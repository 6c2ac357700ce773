/**
 * Compares the scorers of two runs. Means and pass rates count only rows with a score. A scorer
 * whose definition differs between the runs is marked, since its two numbers measure different
 * things.
 */
import { type NumberChange, numericDiff } from './numeric-diff.ts';

export interface ScoreTotals {
  readonly scorerId: string;
  readonly gating: boolean;
  readonly deterministic: boolean;
  readonly definitionHash: string;
  readonly scored: number;
  readonly passed: number;
  readonly sum: number;
  readonly errors: number;
}

interface ScorerPair {
  readonly scorerId: string;
  readonly gating: boolean;
  readonly deterministic: boolean;
  readonly definitionChanged: boolean;
}

export interface ComparedScorer extends ScorerPair {
  readonly passRate: NumberChange;
  readonly meanValue: NumberChange;
  readonly errorCount: { readonly base: number; readonly compare: number };
}

export interface ScoreSide {
  readonly value: number | null;
  readonly passed: boolean | null;
  readonly status: 'scored' | 'error' | 'skipped';
}

export interface ScoreDelta extends ScorerPair {
  readonly base: ScoreSide | null;
  readonly compare: ScoreSide | null;
  readonly value: NumberChange;
}

export function compareScorers(
  base: readonly ScoreTotals[],
  compare: readonly ScoreTotals[],
): ComparedScorer[] {
  return pairs(base, compare).map(([was, is, pair]) => ({
    ...pair,
    passRate: numericDiff(rate(was), rate(is)),
    meanValue: numericDiff(mean(was), mean(is)),
    errorCount: { base: was?.errors ?? 0, compare: is?.errors ?? 0 },
  }));
}

export function compareCaseScores(
  base: readonly ScoreTotals[],
  compare: readonly ScoreTotals[],
): ScoreDelta[] {
  return pairs(base, compare).map(([was, is, pair]) => ({
    ...pair,
    base: sideOf(was),
    compare: sideOf(is),
    value: numericDiff(mean(was), mean(is)),
  }));
}

type Pair = readonly [ScoreTotals | undefined, ScoreTotals | undefined, ScorerPair];

function pairs(base: readonly ScoreTotals[], compare: readonly ScoreTotals[]): Pair[] {
  const before = new Map(base.map((one) => [one.scorerId, one]));
  const now = new Map(compare.map((one) => [one.scorerId, one]));
  return [...new Set([...before.keys(), ...now.keys()])].sort().map((scorerId): Pair => {
    const was = before.get(scorerId);
    const is = now.get(scorerId);
    const one = is ?? was;
    return [
      was,
      is,
      {
        scorerId,
        gating: one?.gating ?? false,
        deterministic: one?.deterministic ?? false,
        definitionChanged:
          was !== undefined && is !== undefined && was.definitionHash !== is.definitionHash,
      },
    ];
  });
}

function sideOf(totals: ScoreTotals | undefined): ScoreSide | null {
  if (totals === undefined) return null;
  if (totals.scored > 0) {
    return { value: mean(totals), passed: totals.passed === totals.scored, status: 'scored' };
  }
  return { value: null, passed: null, status: totals.errors > 0 ? 'error' : 'skipped' };
}

function rate(totals: ScoreTotals | undefined): number | null {
  return totals === undefined || totals.scored === 0 ? null : totals.passed / totals.scored;
}

function mean(totals: ScoreTotals | undefined): number | null {
  return totals === undefined || totals.scored === 0 ? null : totals.sum / totals.scored;
}
