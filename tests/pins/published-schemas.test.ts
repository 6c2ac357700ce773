/**
 * Composed answers must satisfy the published schemas, checked by an independent validator; other
 * values must not.
 */

import { type DecisionSummary, stages, verdictSources } from '@proofmark/domain';
import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import {
  decisionProblems,
  expectPublishedSummary,
  summaryProblems,
} from '@proofmark/harness/published-summary.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chainOf,
  chainStoppedAt,
  decidedSummary,
  summaryOf,
  trial,
} from '../../packages/report/src/example-summaries.ts';

const chains = {
  verified: chainStoppedAt('selection', 'missingToolCall', 'selection', [
    'get_weather was not called',
  ]),
  withoutFailure: chainOf([['notMeasured', 'traceAbsent']]),
  ahead: chainOf([['notMeasured', 'traceAbsent']], { stageAnalyzerVersion: 9 }),
  unverified: chainOf([['failed', 'predicateFailed']]),
  absent: {},
};
const trials = [
  ...Object.values(chains).map((chain, index) => trial(index + 1, { ...chain })),
  trial(9, {
    caseId: 'case_1',
    testCaseId: 'cas_1',
    error: 'The model called get_time.',
    expectedToolCalls: [{ toolName: 'get_weather' }],
    actualToolCalls: [{ toolName: 'get_time' }],
  }),
  trial(10, { status: 'timed_out', result: null }),
];

const summaries: Record<string, DecisionSummary> = {
  passed: decidedSummary(['ppp'], trials),
  failed: decidedSummary(['ppp', 'pff'], trials, {}, 'small-1'),
  inconclusive: decidedSummary(['pe', 'ts', 'w'], trials, { nextCursor: 'next' }),
  legacy: summaryOf(
    { status: 'completed', result: 'failed', legacySummary: { total: 3, failed: 3 } },
    trials,
  ),
  'legacy without counts': summaryOf({ status: 'completed', result: 'passed' }, trials),
  running: summaryOf({ status: 'running' }, trials, { allTrialsRecorded: false }),
  stopped: summaryOf({ status: 'cancelled' }, trials),
  'without a result': summaryOf({ status: 'completed' }, trials),
  'with an unreadable decision': summaryOf(
    { status: 'completed', verdictPolicyVersion: 2, integrityError: 'A trial has no case.' },
    trials,
  ),
};

test('the examples have every verdict source and every chain status', () => {
  const all = Object.values(summaries);
  expect(new Set(all.map((one) => one.verdictSource))).toEqual(new Set(verdictSources));
  const statuses = all.flatMap((one) => one.diagnostics.items.map((item) => item.chain.status));
  expect(new Set(statuses)).toEqual(new Set(['verified', 'unverified', 'absent']));
  expect(JSON.stringify(all)).toContain('analyzerVersionAhead');
});

test.each(Object.entries(summaries))('a summary that is %s holds', (_, summary) => {
  expectPublishedSummary(JSON.parse(JSON.stringify(summary)));
});

test('whatever is decided about any trials, and wherever a chain stopped, holds', () => {
  const cases = fc.array(
    fc.string({ unit: fc.constantFrom(...'pftews'), minLength: 1, maxLength: 6 }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(cases, fc.constantFrom(...stages), (letters, stage) => {
      const stopped = trial(1, { ...chainStoppedAt(stage, 'predicateFailed', 'userValue') });
      expectPublishedSummary(JSON.parse(JSON.stringify(decidedSummary(letters, [stopped]))));
    }),
    runsOf(200),
  );
});

describe('refused is', () => {
  const altered: [string, string, (summary: Loose) => void][] = [
    ['a field nobody knows', 'passed', (one) => set(one, 'extra', 1)],
    [
      'a field nobody knows inside the decision',
      'passed',
      (one) => set(one['decision'], 'extra', 1),
    ],
    ['a field nobody knows in a row', 'failed', (one) => set(firstItem(one), 'extra', 1)],
    [
      'an absent chain that says more',
      'failed',
      (one) => set(firstItem(one), 'chain', { status: 'absent', stages: [] }),
    ],
    ['a chain of five stages', 'failed', (one) => void firstItem(one)['chain']['stages'].pop()],
    ['a verdict that is none', 'passed', (one) => set(one, 'verdict', 'green')],
    ['a verdict of another source', 'legacy', (one) => set(one, 'verdict', 'inconclusive')],
    ['another schema version', 'passed', (one) => set(one, 'schemaVersion', 2)],
    ['a count below zero', 'passed', (one) => set(one['counts'], 'passed', -1)],
    ['a count with a fraction', 'legacy', (one) => set(one['counts'], 'total', 1.5)],
    [
      'counts of the other unit',
      'legacy',
      (one) => set(one['counts'], 'measurementUnit', 'caseVariant'),
    ],
    [
      'counts of a run without a verdict',
      'running',
      (one) => set(one, 'counts', { measurementUnit: 'trial' }),
    ],
    [
      'a rate above 1',
      'passed',
      (one) => set(one['decision']['validity']['completionRate'], 'value', 1.5),
    ],
    [
      'a measured rate without a value',
      'passed',
      (one) => set(one['decision']['validity']['completionRate'], 'value', null),
    ],
    [
      'an undecided run that does not say why',
      'running',
      (one) => set(one, 'undecided', undefined),
    ],
    ['a decided run without its decision', 'passed', (one) => set(one, 'decision', undefined)],
    ['a decided run without counts', 'passed', (one) => set(one, 'counts', undefined)],
    [
      'a row without its next action',
      'failed',
      (one) => set(firstItem(one), 'nextAction', undefined),
    ],
  ];

  test.each(altered)('%s', (_, name, alter) => {
    const summary = JSON.parse(JSON.stringify(summaries[name])) as Loose;
    expect(summaryProblems(summary)).toEqual([]);
    alter(summary);
    expect(summaryProblems(JSON.parse(JSON.stringify(summary)))).not.toEqual([]);
  });

  test('a decision with a field nobody knows, of another version, or without its reasons', () => {
    const { decision } = summaries['passed'] as unknown as Loose;
    expect(decisionProblems(decision)).toEqual([]);
    expect(decisionProblems({ ...decision, extra: 1 })).not.toEqual([]);
    expect(decisionProblems({ ...decision, verdictPolicyVersion: 3 })).not.toEqual([]);
    expect(decisionProblems({ ...decision, reasons: [] })).not.toEqual([]);
    expect(decisionProblems({ ...decision, reasons: undefined })).not.toEqual([]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: summaries are taken apart at places of every shape.
type Loose = Record<string, any>;

function set(target: Loose, name: string, value: unknown): void {
  target[name] = value;
}

function firstItem(summary: Loose): Loose {
  return summary['diagnostics'].items[0];
}
