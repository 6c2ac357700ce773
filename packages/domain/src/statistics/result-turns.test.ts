/**
 * The statements about a history, beside the same ones by the definition, which computes the
 * evidence after every trial.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PassCount } from '../gates/measures.ts';
import { logEvidenceAbove, logEvidenceBelow } from './any-time-evidence.ts';
import { historyStatements, steadyTrials, type ThresholdStatement } from './history-statements.ts';
import { resultTurns } from './result-turns.ts';

type Evidence = typeof logEvidenceBelow;

function countsAfterEach(results: readonly boolean[]): PassCount[] {
  let passed = 0;
  return results.map((result, at) => {
    if (result) passed += 1;
    return { passed, trials: at + 1 };
  });
}

function peakByDefinition(all: readonly PassCount[], rate: number, evidence: Evidence) {
  const logEs = all.map((counts) => evidence(counts, rate));
  const first = logEs.findIndex((logE) => logE >= Math.log(20));
  return { logE: Math.max(0, ...logEs), since: first === -1 ? null : first + 1 };
}

function thresholdByDefinition(all: readonly PassCount[], rate: number): ThresholdStatement {
  const below = peakByDefinition(all, rate, logEvidenceBelow);
  const above = peakByDefinition(all, rate, logEvidenceAbove);
  const eOf = (logE: number) => Math.min(Math.exp(logE), Number.MAX_VALUE);
  if (below.since === null && above.since === null) {
    return { rate, e: eOf(Math.max(below.logE, above.logE)), side: 'open', since: null };
  }
  const isBelow = (below.since ?? 0) > (above.since ?? 0);
  const { logE, since } = isBelow ? below : above;
  return { rate, e: eOf(logE), side: isBelow ? 'below' : 'above', since };
}

/** The smallest rate that the evidence of any trial rejects. */
function upperByDefinition(all: readonly PassCount[]): number {
  return all.reduce((smallest, counts) => {
    let [open, rejected] = [counts.passed / counts.trials, 1];
    if (logEvidenceBelow(counts, rejected) < Math.log(40)) return smallest;
    for (let halving = 0; halving < 50; halving += 1) {
      const middle = (open + rejected) / 2;
      if (logEvidenceBelow(counts, middle) >= Math.log(40)) rejected = middle;
      else open = middle;
    }
    return Math.min(smallest, rejected);
  }, 1);
}

function byDefinition(results: readonly boolean[], rate: number) {
  const all = countsAfterEach(results);
  const failed = all.map(({ passed, trials }) => ({ passed: trials - passed, trials }));
  const isEver = (stated: number, evidence: Evidence) =>
    peakByDefinition(all, stated, evidence).since !== null;
  return {
    trials: results.length,
    passed: results.filter(Boolean).length,
    threshold: thresholdByDefinition(all, rate),
    isFlaky: isEver(0.98, logEvidenceBelow) && isEver(1 - 0.98, logEvidenceAbove),
    steady: results.length >= steadyTrials && !results.slice(-steadyTrials).includes(false),
    lower: 1 - upperByDefinition(failed),
    upper: upperByDefinition(all),
  };
}

/** Phases with a pass rate each, so that long and short sequences of equal results alternate. */
const histories = fc
  .array(
    fc
      .tuple(fc.constantFrom(0, 3, 30, 50, 80, 95, 99, 100), fc.nat(120))
      .chain(([rate, trials]) =>
        fc
          .array(fc.nat(99), { minLength: trials, maxLength: trials })
          .map((chances) => chances.map((chance) => chance < rate)),
      ),
    { maxLength: 5 },
  )
  .map((phases) => phases.flat());
const rates = fc.oneof(
  fc.constantFrom(0, 0.02, 0.5, 0.8, 0.9, 0.95, 0.98, 1),
  fc.double({ min: 0.001, max: 0.999, noNaN: true }),
);

test('the statements are those of the evidence after every trial', () => {
  fc.assert(
    fc.property(histories, rates, (results, rate) => {
      const { interval, ...stated } = historyStatements(resultTurns(results), rate);
      const { lower, upper, ...defined } = byDefinition(results, rate);
      expect(stated).toEqual(defined);
      if (results.length === 0 || lower > upper + 1e-11) {
        expect(interval).toBeNull();
      } else if (lower < upper - 1e-11) {
        expect(Math.abs((interval?.lower ?? Number.NaN) - lower)).toBeLessThan(1e-11);
        expect(Math.abs((interval?.upper ?? Number.NaN) - upper)).toBeLessThan(1e-11);
      }
    }),
    { numRuns: 60 },
  );
});

test('a history is split into its sequences of equal results', () => {
  expect(resultTurns([true, true, false, true, false, false])).toEqual({
    trials: 6,
    passed: 3,
    ofPassed: [
      { passed: 2, trials: 2, length: 2 },
      { passed: 3, trials: 4, length: 1 },
    ],
    ofFailed: [
      { passed: 2, trials: 3, length: 1 },
      { passed: 3, trials: 6, length: 2 },
    ],
  });
});
