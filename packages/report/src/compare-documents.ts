/**
 * Compares a suite in two documents of `proofmark test --json`, with the same rules and words as
 * for two runs of a service. Facts that a document lacks are omitted.
 */
import {
  type ComparedCaseSide,
  type ComparedTrials,
  type CountTokens,
  compareCases,
  type Decision,
  modelOfPair,
  numericDiff,
  surfaceDifference,
  surfaceReport,
  surfaceTokens,
  surfaceTotals,
  verdictsOfCases,
} from '@proofmark/domain';
import type { SuiteOfDocument } from './read-test-document.ts';

export interface DecidedInFile {
  readonly file: string;
  readonly suite: SuiteOfDocument;
  readonly decision: Decision;
}

export type ComparedDocuments = ReturnType<typeof compareDocuments>;

/**
 * `countTokens` is undefined in a program without the tokenizer. The comparison then has no token
 * counts.
 */
export function compareDocuments(
  base: DecidedInFile,
  compare: DecidedInFile,
  countTokens: CountTokens | undefined,
) {
  const [was, is] = [totalsOf(base), totalsOf(compare)];
  const { id, suite: name } = compare.suite;
  const { paired, correction, cases } = compareCases(trialsOf(base), trialsOf(compare));
  return {
    suite: { ...(id !== undefined && { id }), name },
    baseRun: sideOf(base, was),
    compareRun: sideOf(compare, is),
    passSummary: {
      passRatePercent: numericDiff(percentOf(was), percentOf(is)),
      total: numericDiff(was.total, is.total),
      passed: numericDiff(was.passed, is.passed),
      failed: numericDiff(was.failed, is.failed),
    },
    metrics: {
      wallDurationMs: numericDiff(base.suite.durationMs, compare.suite.durationMs),
      totalTokens: numericDiff(base.suite.tokens, compare.suite.tokens),
    },
    paired,
    correction,
    cases: cases.map(({ evaluationConfigChanged: _unknown, ...one }) => ({
      ...one,
      base: countedSide(one.base),
      compare: countedSide(one.compare),
    })),
    ...compareSurfaces(base.suite, compare.suite, countTokens),
  };
}

/** Omits trial ids and errors, because a document holds only some of them. */
function countedSide({ outcome, passedTrials, eligibleTrials }: ComparedCaseSide) {
  return { outcome, passedTrials, eligibleTrials };
}

interface Totals {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
}

function totalsOf({ decision: { cases } }: DecidedInFile): Totals {
  const sum = (of: 'configuredTrials' | 'passedTrials' | 'failedTrials') =>
    cases.reduce((all, row) => all + row[of], 0);
  return {
    total: sum('configuredTrials'),
    passed: sum('passedTrials'),
    failed: sum('failedTrials'),
  };
}

function percentOf({ total, passed }: Totals): number | null {
  return total === 0 ? null : (passed / total) * 100;
}

function sideOf({ file, suite }: DecidedInFile, { total, passed, failed }: Totals) {
  const { runId: id, verdict: result, createdAt, durationMs, replay } = suite;
  return {
    file,
    id,
    result,
    createdAt,
    completedAt: createdAt === null || durationMs === null ? null : createdAt + durationMs,
    summary: { total, passed, failed, passRate: total === 0 ? null : passed / total },
    ...(replay && { replay }),
  };
}

/** Counts the trials of a case for each model and over all models. */
function trialsOf({ suite, decision }: DecidedInFile): ComparedTrials[] {
  const verdicts = verdictsOfCases(decision);
  const ids = [...new Set(decision.cases.map(({ caseId }) => caseId))];
  return ids.map((caseKey) => {
    const rows = decision.cases.filter(({ caseId }) => caseId === caseKey);
    const hasTitle = Object.hasOwn(suite.caseTitles, caseKey);
    return {
      caseKey,
      title: (hasTitle ? suite.caseTitles[caseKey] : undefined) ?? caseKey,
      verdict: verdicts.get(caseKey),
      passed: rows.reduce((sum, { passedTrials }) => sum + passedTrials, 0),
      failed: rows.reduce((sum, { failedTrials }) => sum + failedTrials, 0),
      models: rows.flatMap(({ executionVariant, passedTrials: passed, failedTrials: failed }) =>
        executionVariant === undefined
          ? []
          : [
              {
                model: modelOfPair(executionVariant.model, executionVariant.provider),
                passed,
                failed,
              },
            ],
      ),
      iterationIds: [],
      firstNotPassed: null,
      error: null,
      config: suite.caseHashes.get(caseKey) ?? null,
      evaluationConfig: null,
    };
  });
}

function compareSurfaces(
  base: SuiteOfDocument,
  compare: SuiteOfDocument,
  countTokens: CountTokens | undefined,
) {
  const [was, is] = [listedIn(base), listedIn(compare)];
  const isListed = was.length > 0 && is.length > 0;
  const report = surfaceReport(isListed ? surfaceDifference(was, is) : [], compare.failedTrials);
  const tokensOf = (servers: typeof was) =>
    countTokens === undefined ? surfaceTokens([], () => 0) : surfaceTokens(servers, countTokens);
  return {
    surface: {
      baseRunId: base.runId,
      baseHash: base.surface?.hash ?? null,
      hash: compare.surface?.hash ?? null,
      ...report,
      totals: surfaceTotals(report),
    },
    tokens: { base: tokensOf(was), compare: tokensOf(is) },
  };
}

/** Servers have no ids in a document, so they are identified by name. */
function listedIn({ surface }: SuiteOfDocument) {
  return (surface?.servers ?? []).map(({ name, tools }) => ({ id: name, name, tools }));
}
