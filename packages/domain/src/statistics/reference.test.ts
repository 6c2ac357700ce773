/**
 * Compares 200 random tables of each kind with the results of scipy, statsmodels and R.
 * `reference/make-reference.py` writes the expected values.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adjustByBenjaminiHochberg, adjustByHolm } from './adjust-for-many.ts';
import { logEvidenceAbove, logEvidenceBelow } from './any-time-evidence.ts';
import { chanceOfAtLeast, chanceOfFewer } from './binomial.ts';
import { fisherExact } from './fisher-exact.ts';
import { incompleteBeta, logIncompleteBeta } from './incomplete-beta.ts';
import { comparePaired } from './paired-comparison.ts';
import { studentQuantile } from './student-t.ts';

type Counts = [passed: number, trials: number];
interface Expected {
  fisher: { base: Counts; compare: Counts; scipy: number; r: number }[];
  adjusted: { chances: number[]; holm: number[]; bh: number[]; holmR: number[]; bhR: number[] }[];
  paired: { base: Counts[]; compare: Counts[]; scipy: number; r: number }[];
  clustered: {
    clusters: number[];
    base: Counts[];
    compare: Counts[];
    difference: number;
    standardError: number;
    statsmodels: number;
  }[];
  mcnemar: { cases: number; worse: number; better: number; statsmodels: number; r: number }[];
  signFlip: { base: Counts[]; compare: Counts[]; scipy?: number; allSigns?: number }[];
  beta: { x: number; a: number; b: number; scipy: number; r: number }[];
  evidence: { passed: number; trials: number; rate: number; r: number }[];
  quantiles: { level: number; degrees: number; scipy: number; r: number }[];
  binomial: { passed: number; trials: number; rate: number; scipy: number; r: number }[];
}

const file = new URL('reference/expected.json', import.meta.url);
const expected: Expected = JSON.parse(readFileSync(file, 'utf8'));
const agreement = 1e-9;

/** The distance is relative, so that tiny chances must agree as well. */
function differs(value: number | null | undefined, from: number): number {
  if (value === null || value === undefined) return Number.POSITIVE_INFINITY;
  return value === from ? 0 : Math.abs(value - from) / Math.max(Math.abs(from), 1e-300);
}

function expectAgreement<Row>(
  rows: readonly Row[],
  distances: (row: Row, at: number) => readonly number[],
) {
  expect(rows).toHaveLength(200);
  for (const [at, row] of rows.entries()) {
    const largest = Math.max(0, ...distances(row, at));
    if (!(largest <= agreement)) expect.fail(`${largest} in row ${at}: ${JSON.stringify(row)}`);
  }
}

const counts = ([passed, trials]: Counts) => ({ passed, trials });
const side = (all: readonly Counts[], clusters?: readonly number[]) =>
  all.map((one, at) => ({
    key: String(at),
    cluster: String(clusters?.[at] ?? at),
    ...counts(one),
  }));

test("Fisher's exact test agrees with scipy and R", () => {
  expectAgreement(expected.fisher, ({ base, compare, scipy, r }) => {
    const p = fisherExact(counts(base), counts(compare));
    return [differs(p, scipy), differs(p, r)];
  });
});

test('adjusted chances agree with statsmodels and R', () => {
  expectAgreement(expected.adjusted, ({ chances, holm, holmR, bh, bhR }) => {
    const byHolm = adjustByHolm(chances);
    const byBh = adjustByBenjaminiHochberg(chances);
    return chances.flatMap((_, at) => [
      ...[holm, holmR].map((one) => differs(byHolm[at], one[at] ?? Number.NaN)),
      ...[bh, bhR].map((one) => differs(byBh[at], one[at] ?? Number.NaN)),
    ]);
  });
});

test('the paired t-test agrees with scipy and R', () => {
  expectAgreement(expected.paired, ({ base, compare, scipy, r }) => {
    const { method, p } = comparePaired(side(base), side(compare));
    expect(method).toBe('t');
    return [differs(p, scipy), differs(p, r)];
  });
});

test('clustered pairs agree with statsmodels', () => {
  expectAgreement(expected.clustered, (row) => {
    const found = comparePaired(side(row.base, row.clusters), side(row.compare, row.clusters));
    return [
      Math.abs((found.difference ?? Number.NaN) - row.difference),
      differs(found.standardError, row.standardError),
      differs(found.p, row.statsmodels),
    ];
  });
});

test("McNemar's exact test agrees with statsmodels and R", () => {
  expectAgreement(expected.mcnemar, ({ cases, worse, better, statsmodels, r }) => {
    const passes = (failed: (at: number) => boolean) =>
      Array.from({ length: cases }, (_, at): Counts => [failed(at) ? 0 : 1, 1]);
    const base = passes((at) => at >= worse && at < worse + better);
    const { method, p } = comparePaired(side(base), side(passes((at) => at < worse)));
    expect(method).toBe('mcnemar');
    return [differs(p, statsmodels), differs(p, r)];
  });
});

test('the sign flip test agrees with scipy, and with all signs counted', () => {
  expectAgreement(expected.signFlip, ({ base, compare, scipy, allSigns }) => {
    const { method, p } = comparePaired(side(base), side(compare));
    expect(method).toBe('signFlip');
    return [differs(p, scipy ?? allSigns ?? Number.NaN)];
  });
});

test('the incomplete beta function agrees with scipy, and its logarithm with R', () => {
  expectAgreement(expected.beta, ({ x, a, b, scipy, r }) => {
    // Chances below the smallest floating-point number exist only as logarithms.
    const logarithm = Math.abs(logIncompleteBeta(x, a, b) - r) / Math.max(1, Math.abs(r));
    return [logarithm, scipy < 1e-290 ? 0 : differs(incompleteBeta(x, a, b), scipy)];
  });
});

test('the evidence agrees with the beta functions of R', () => {
  expectAgreement(expected.evidence, ({ passed, trials, rate, r }) => [
    Math.abs(logEvidenceBelow({ passed, trials }, rate) - r),
    Math.abs(logEvidenceAbove({ passed: trials - passed, trials }, 1 - rate) - r),
  ]);
});

test("quantiles of Student's t agree with scipy and R", () => {
  expectAgreement(expected.quantiles, ({ level, degrees, scipy, r }) => {
    const quantile = studentQuantile(level, degrees);
    return [differs(quantile, scipy), differs(quantile, r)];
  });
});

test('binomial chances agree with scipy and R', () => {
  expectAgreement(expected.binomial, ({ passed, scipy, r, ...trials }) => {
    const chance = chanceOfAtLeast(passed, trials);
    const fewer = chanceOfFewer(passed, trials);
    // scipy returns 0 for tiny chances that R can still express.
    const inScipy = r < 1e-200 ? 0 : differs(chance, scipy);
    return [inScipy, differs(chance, r), Math.abs(chance + fewer - 1)];
  });
});
