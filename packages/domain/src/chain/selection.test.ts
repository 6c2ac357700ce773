import { expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import {
  assertion,
  bare,
  cleanTurn,
  noSpans,
  noTrace,
  rowOf,
  toolSpan,
  turn,
  unverdicted,
} from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

test.each<[string, Partial<TrialEvidence>, string]>([
  ['a clean turn', { turns: [cleanTurn] }, 'passed/observed'],
  [
    'a missing call, even in a turn that passed',
    { turns: [turn({ missingCount: 1 })] },
    'failed/missingToolCall',
  ],
  [
    'toolCalledAtLeastOnce failed',
    { turns: [cleanTurn], assertions: [assertion('toolCalledAtLeastOnce', false)] },
    'failed/missingToolCall',
  ],
  [
    'firstToolWas failed',
    { turns: [cleanTurn], assertions: [assertion('firstToolWas', false)] },
    'failed/unexpectedToolCall',
  ],
  [
    'toolNeverCalled failed',
    { assertions: [assertion('toolNeverCalled', false)] },
    'failed/unexpectedToolCall',
  ],
  [
    'onlyToolsCalled failed',
    { turns: [cleanTurn], assertions: [assertion('onlyToolsCalled', false)] },
    'failed/unexpectedToolCall',
  ],
  [
    'missing outranks unexpected',
    {
      assertions: [assertion('toolNeverCalled', false), assertion('toolCalledAtLeastOnce', false)],
    },
    'failed/missingToolCall',
  ],
  [
    'an advisory assertion is not read',
    {
      turns: [cleanTurn],
      assertions: [{ type: 'toolNeverCalled', passed: false, advisory: true }],
    },
    'passed/observed',
  ],
  [
    'toolCalledWith is not read again',
    { turns: [cleanTurn], assertions: [assertion('toolCalledWith', false)] },
    'passed/observed',
  ],
  [
    'extras in a failed turn',
    { turns: [turn({ unexpectedCount: 1, passed: false })] },
    'failed/unexpectedToolCall',
  ],
  [
    'extras in a turn that failed by its arguments',
    { turns: [turn({ unexpectedCount: 1, argumentMismatchCount: 1, passed: false })] },
    'passed/observed',
  ],
  ['tolerated extras', { turns: [turn({ unexpectedCount: 2 })] }, 'passed/observed'],
  [
    'extras and no verdict',
    { turns: [unverdicted({ unexpectedCount: 1 })] },
    'notMeasured/matchVerdictUnavailable',
  ],
  ['no verdict and no extras', { turns: [unverdicted({})] }, 'passed/observed'],
  ['no turns, no trace', noTrace, 'notMeasured/traceAbsent'],
  ['no turns, no spans by design', noSpans, 'notMeasured/executorEmitsNoSpans'],
  ['no turns', { spans: [toolSpan] }, 'notMeasured/noEvidenceCaptured'],
])('selection: %s', (_title, change, expected) => {
  expect(rowOf('selection', change)).toBe(expected);
});

test.each<[string, Partial<TrialEvidence>]>([
  ['in a turn', { turns: [turn({ missingCount: 1, exclusions: ['Hidden.', 'Hidden.'] })] }],
  [
    'in an assertion',
    { assertions: [{ type: 'toolCalledAtLeastOnce', passed: false, exclusion: 'Hidden.' }] },
  ],
  [
    'in an assertion about the first tool, too',
    { assertions: [{ type: 'firstToolWas', passed: false, exclusion: 'Hidden.' }] },
  ],
])('selection: an excluded tool is missing, and the row says why, %s', (_title, change) => {
  const { stageResults, failureCategory } = deriveChain({ ...bare, ...change });
  expect(stageResults[2]).toMatchObject({
    reason: 'missingToolCall',
    evidence: { predicateReasons: ['Hidden.'] },
  });
  expect(failureCategory).toBe('selection');
});

test.each<[string, Partial<TrialEvidence>]>([
  [
    'one that the turn does not expect',
    { turns: [turn({ unexpectedCount: 1, unexpectedSpanIds: ['span-7'], passed: false })] },
  ],
  [
    'one that an assertion forbids',
    { assertions: [{ type: 'onlyToolsCalled', passed: false, spanIds: ['span-7'] }] },
  ],
])('selection: an unexpected call names its span, %s', (_title, change) => {
  const { stageResults } = deriveChain({ ...bare, ...change });
  expect(stageResults[2]).toMatchObject({ evidence: { spanIds: ['span-7'] } });
});
