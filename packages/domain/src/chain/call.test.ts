import { expect, test } from 'vitest';
import {
  authored,
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
