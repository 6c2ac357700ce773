import { expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { authored, bare, noSpans, noTrace, rowOf, span, toolSpan } from './evidence.fixture.ts';
import type { TrialEvidence } from './trial-evidence.ts';

test.each<[string, Partial<TrialEvidence>, string]>([
  ['a content error', { toolErrors: [{ kind: 'content-error' }] }, 'failed/toolError'],
  ['an errored span with no code', { spans: [span({ status: 'error' })] }, 'failed/toolError'],
  [
    'a content error outranks a good span',
    { spans: [toolSpan], toolErrors: [{ kind: 'content-error' }] },
    'failed/toolError',
  ],
  [
    'a widget nobody looked at',
    { ...authored({ assertsWidget: true }), spans: [toolSpan] },
    'notMeasured/noEvidenceCaptured',
  ],
  [
    'a widget that did not render once',
    {
      ...authored({ assertsWidget: true }),
      renders: [{ status: 'rendered' }, { status: 'mount_failed' }],
    },
    'failed/renderFailed',
  ],
  [
    'a widget that rendered',
    { ...authored({ assertsWidget: true }), renders: [{ status: 'rendered' }] },
    'passed/observed',
  ],
  [
    'an error that answers arguments which break the schema is not its failure',
    {
      spans: [toolSpan, span({ id: 'span-2', status: 'error' })],
      toolErrors: [{ kind: 'content-error', spanId: 'span-2', argumentProblem: 'no city' }],
      ...authored({ expectsToolCall: false }),
    },
    'notReached/earlierStageFailed',
  ],
  [
    'a result that breaks its own schema',
    {
      spans: [span({ status: 'error' })],
      toolErrors: [{ kind: 'content-error', spanId: 'span-1', resultProblem: '/temperature' }],
    },
    'failed/toolError',
  ],
  ['a good span', { spans: [toolSpan] }, 'passed/observed'],
  [
    'a span that does not say how it ended',
    { spans: [{ id: 'span-1', category: 'tool' }] },
    'notMeasured/noEvidenceCaptured',
  ],
  ['no trace', noTrace, 'notMeasured/traceAbsent'],
  ['no spans by design', noSpans, 'notMeasured/executorEmitsNoSpans'],
])('response: %s', (_title, change, expected) => {
  expect(rowOf('response', change)).toBe(expected);
});

test('response: a result that breaks its own schema says where, and names its call', () => {
  const { stageResults } = deriveChain({
    ...bare,
    spans: [toolSpan, span({ id: 'span-2', status: 'error' })],
    toolErrors: [
      { kind: 'content-error', promptIndex: 0, spanId: 'span-2', resultProblem: '/temperature' },
    ],
  });
  expect(stageResults[4]?.evidence).toEqual({
    spanIds: ['span-2'],
    promptIndexes: [0],
    predicateReasons: ['/temperature'],
  });
});
