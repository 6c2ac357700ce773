/**
 * Statistics of each case in the newest of several documents of `proofmark test --json`. The rules
 * are those of a service, with the older documents in place of its stored runs.
 */
import {
  caseVariantKey,
  type DecisionCase,
  flakinessOver,
  mostRunsOfFlakiness,
  variantStatistics,
} from '@proofmark/domain';
import type { DecidedInFile } from './compare-documents.ts';

/** `tests` holds tests of one suite; the statistics describe the newest. */
export function documentStatistics(tests: readonly DecidedInFile[], k: number | null) {
  const inOrder = inOrderOfTime(tests);
  const newest = inOrder.at(-1);
  if (newest === undefined) throw new Error('There is no test to make statistics of.');
  const { suite, decision } = newest;
  const hash = suite.surface?.hash;
  const sameTools = hash === undefined ? undefined : withTools(inOrder, newest, hash);
  return {
    suite: { ...(suite.id !== undefined && { id: suite.id }), name: suite.suite },
    runId: suite.runId,
    unit: 'caseVariant' as const,
    k,
    toolSurface: {
      ...(hash !== undefined && { hash }),
      state: hash === undefined ? ('unknown' as const) : ('one' as const),
    },
    cases: decision.cases.map((row) => {
      const { caseId, executionVariant, effectivePassThreshold: passThreshold } = row;
      const hasTitle = Object.hasOwn(suite.caseTitles, caseId);
      return {
        caseId,
        title: (hasTitle ? suite.caseTitles[caseId] : undefined) ?? null,
        model: executionVariant?.model ?? null,
        provider: executionVariant?.provider ?? null,
        trials: row.configuredTrials,
        passThreshold,
        ...variantStatistics(gradedOf(row), { k }),
        // `history` is null, because documents contain the counts of trials but not their order.
        history: null,
        flakiness: sameTools ? flakinessOver(historyOf(row, newest, sameTools)) : null,
      };
    }),
  };
}

/** Sorts the tests by their launch. A test that occurs twice counts once. */
function inOrderOfTime(tests: readonly DecidedInFile[]): DecidedInFile[] {
  const once = new Map(tests.map((one) => [one.suite.runId, one]));
  const timeOf = ({ suite }: DecidedInFile) => suite.createdAt ?? 0;
  return [...once.values()].sort((one, other) => timeOf(one) - timeOf(other));
}

/** Omits replays: a replay repeats an earlier run and proves nothing about flakiness. */
function withTools(
  inOrder: readonly DecidedInFile[],
  newest: DecidedInFile,
  hash: string,
): DecidedInFile[] {
  return inOrder
    .filter((one) => one === newest || one.suite.replay === undefined)
    .filter(({ suite }) => suite.surface?.hash === hash)
    .slice(-mostRunsOfFlakiness);
}

/** Omits tests from before the case was edited. */
function historyOf(row: DecisionCase, newest: DecidedInFile, tests: readonly DecidedInFile[]) {
  const key = keyOf(row, newest);
  const hashNow = newest.suite.caseHashes.get(row.caseId);
  return tests
    .filter(({ suite }) => suite.caseHashes.get(row.caseId) === hashNow)
    .flatMap((test) => test.decision.cases.filter((one) => keyOf(one, test) === key).map(gradedOf));
}

/**
 * Cases of a run on one model have no `executionVariant`, so the models of the run are added to the
 * key.
 */
function keyOf(row: DecisionCase, { suite }: DecidedInFile): string {
  if (row.executionVariant !== undefined) return caseVariantKey(row);
  return JSON.stringify([caseVariantKey(row), suite.models]);
}

function gradedOf({ passedTrials: passed, failedTrials: failed }: DecisionCase) {
  return { passed, failed };
}
