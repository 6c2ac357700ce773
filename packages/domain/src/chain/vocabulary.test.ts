import { expect, test } from 'vitest';
import {
  analyzerVersion,
  failureCategories,
  reasonsOf,
  StageResultRow,
  stageReasons,
  stageStates,
  stages,
} from './vocabulary.ts';

test('every reason belongs to exactly one state', () => {
  const owned = stageStates.flatMap((state) => [...reasonsOf[state]]);
  expect([...owned].sort()).toEqual([...stageReasons].sort());
  expect(new Set(owned).size).toBe(29);
  expect(reasonsOf.notMeasured).toHaveLength(13);
});

/** Readers reject a stage chain with unknown words, so a new word needs a new version. */
test('version 2 speaks exactly these words, as version 1 did', () => {
  const words = [...stages, ...stageStates, ...stageReasons, ...failureCategories].join(' ');
  expect({ analyzerVersion, words }).toEqual({
    analyzerVersion: 2,
    words: [
      'connection discovery selection call response userValue',
      'passed failed notReached notMeasured notApplicable',
      'noSpanChannel noEvidenceCaptured matchVerdictUnavailable traceAbsent executorEmitsNoSpans',
      'blockedByPolicy evaluatorError providerError setupAborted connectFailed toolsListFailed',
      'egressUnverified lifecycleStopped notAuthored earlierStageFailed missingToolCall',
      'unexpectedToolCall argumentMismatch toolError protocolError renderFailed predicateFailed',
      'observed impliedByLaterEvidence judgeObserved judgePartial judgeFailed judgePending',
      'judgeNotRequested',
      'setup metadata selection arguments serverData userValue evaluator',
    ].join(' '),
  });
});

test.each([
  ['six span ids', { spanIds: Array(6).fill('s') }],
  ['six prompt indexes', { promptIndexes: [0, 1, 2, 3, 4, 5] }],
  ['a prompt index that is no integer', { promptIndexes: [0.5] }],
  ['a negative prompt index', { promptIndexes: [-1] }],
  ['six reasons', { predicateReasons: Array(6).fill('r') }],
  ['a reason of 501 characters', { predicateReasons: ['x'.repeat(501)] }],
  ['another member', { notes: [] }],
])('a row does not carry %s', (_title, evidence) => {
  const row = { stage: 'call', state: 'passed', reason: 'observed' };
  expect(StageResultRow.safeParse(row).success).toBe(true);
  expect(StageResultRow.safeParse({ ...row, evidence: {} }).success).toBe(true);
  expect(StageResultRow.safeParse({ ...row, evidence }).success).toBe(false);
});
