import { expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import {
  authored,
  bare,
  cleanTurn,
  noSpans,
  noTrace,
  rowOf,
  span,
  toolSpan,
  turn,
} from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

test.each<[string, Partial<TrialEvidence>, string]>([
  [
    'wrong arguments',
    { spans: [toolSpan], turns: [turn({ argumentMismatchCount: 1, passed: false })] },
    'failed/argumentMismatch',
  ],
  ['a span with a code', { spans: [span({ mcpErrorCode: -32603 })] }, 'failed/protocolError'],
  ['a protocol error', { toolErrors: [{ kind: 'protocol-error' }] }, 'failed/protocolError'],
  [
    'wrong arguments outrank a protocol error',
    {
      turns: [turn({ argumentMismatchCount: 1, passed: false })],
      toolErrors: [{ kind: 'protocol-error' }],
    },
    'failed/argumentMismatch',
  ],
  [
    'arguments that break the schema of the tool, answered with an error of the tool',
    {
      spans: [span({ status: 'error' })],
      toolErrors: [{ kind: 'content-error', spanId: 'span-1', argumentProblem: 'no city' }],
    },
    'failed/argumentMismatch',
  ],
  [
    'arguments that break the schema of the tool, answered with an error of JSON-RPC',
    {
      spans: [span({ status: 'error', mcpErrorCode: -32602, mcpErrorOrigin: 'theirs' })],
      toolErrors: [{ kind: 'protocol-error', spanId: 'span-1', argumentProblem: 'no city' }],
    },
    'failed/argumentMismatch',
  ],
  ['a tool span', { spans: [toolSpan] }, 'passed/observed'],
  [
    'a tool error is not its failure',
    { spans: [span({ status: 'error' })], toolErrors: [{ kind: 'content-error' }] },
    'passed/observed',
  ],
  [
    'a negative test with turns and no call',
    { ...authored({ isNegativeTest: true }), turns: [turn({ calledCount: 0 })] },
    'passed/observed',
  ],
  [
    'a negative test without turns',
    authored({ isNegativeTest: true }),
    'notMeasured/noEvidenceCaptured',
  ],
  [
    'a negative test in which a tool was called',
    { ...authored({ isNegativeTest: true }), turns: [cleanTurn] },
    'notMeasured/noEvidenceCaptured',
  ],
  [
    'a positive test without a call',
    { turns: [turn({ calledCount: 0 })] },
    'notMeasured/noEvidenceCaptured',
  ],
  ['no trace', noTrace, 'notMeasured/traceAbsent'],
  ['no spans by design', noSpans, 'notMeasured/executorEmitsNoSpans'],
])('call: %s', (_title, change, expected) => {
  expect(rowOf('call', change)).toBe(expected);
});

const broken = span({ id: 'span-2', status: 'error', promptIndex: 1 });
test.each<[string, Partial<TrialEvidence>, object]>([
  [
    'a call without a result and without a code names its span',
    {
      spans: [toolSpan, broken],
      toolErrors: [{ kind: 'protocol-error', promptIndex: 1, spanId: 'span-2' }],
    },
    { spanIds: ['span-2'], promptIndexes: [1] },
  ],
  [
    'wrong arguments name the span of their call',
    { turns: [turn({ argumentMismatchCount: 1, mismatchedSpanIds: ['span-1'], passed: false })] },
    { spanIds: ['span-1'], promptIndexes: [0] },
  ],
  [
    'arguments that break the schema say how',
    {
      spans: [toolSpan, broken],
      toolErrors: [
        { kind: 'content-error', promptIndex: 1, spanId: 'span-2', argumentProblem: 'no city' },
      ],
    },
    { spanIds: ['span-2'], promptIndexes: [1], predicateReasons: ['no city'] },
  ],
])('call: %s', (_title, change, evidence) => {
  const rows = deriveChain({ ...bare, ...change }).stageResults;
  expect(rows.find(({ stage }) => stage === 'call')?.evidence).toEqual(evidence);
});

test('call: a call that was not made, because clients must hide the tool, is the server’s failure', () => {
  const { stageResults, failureCategory } = deriveChain({
    ...bare,
    authored: { ...bare.authored, hasPrompt: false },
    spans: [span({ status: 'error' })],
    toolErrors: [{ kind: 'protocol-error', spanId: 'span-1', exclusion: 'Hidden.' }],
  });
  expect(stageResults[3]).toMatchObject({
    reason: 'protocolError',
    evidence: { spanIds: ['span-1'], predicateReasons: ['Hidden.'] },
  });
  expect(failureCategory).toBe('serverData');
});
