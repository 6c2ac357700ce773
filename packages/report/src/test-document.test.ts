import { expect, test } from 'vitest';
import { chainStoppedAt, decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { documentSuite, type SuiteReadout, testDocument } from './test-document.ts';
import { renderJunitOfAll } from './write-junit.ts';

const failing = {
  ...trial(1, {
    caseId: 'case_2',
    title: 'Ship an order',
    expectedToolCalls: [{ toolName: 'ship' }],
    actualToolCalls: [{ toolName: 'track' }],
    ...chainStoppedAt('selection', 'missingToolCall', 'selection', ['"ship" was never called.']),
  }),
};
const passedTrial = {
  caseId: 'case_1',
  title: 'Find an order',
  model: 'lexical-1',
  provider: 'proofmark',
  durationMs: 40,
};
const failedTrial = { ...passedTrial, caseId: 'case_2', title: 'Ship an order', durationMs: 60 };
const surface = {
  hash: 'a1',
  servers: [{ name: 'shop', hash: 'b2', tools: ['track'], listed: [{ name: 'track' }] }],
};
const red: SuiteReadout = {
  file: 'orders.suite.yaml',
  id: 'orders',
  name: 'Orders',
  exitCode: 1,
  summary: decidedSummary(['p', 'pf'], [failing]),
  run: {
    createdAt: 1_000,
    completedAt: 3_500,
    spending: { credits: 0, priced: true, inputTokens: 80, outputTokens: 12 },
    caseTitles: { case_1: 'Find an order', case_2: 'Ship an order' },
  },
  passed: [passedTrial, failedTrial],
  notPassed: [failedTrial],
  calls: new Map([
    [
      'itr_1',
      {
        ...failedTrial,
        expectedToolCalls: [{ toolName: 'ship', arguments: { order: 1 } }],
        actualToolCalls: [
          { serverName: 'shop', toolName: 'track', arguments: { order: 1 } },
          { serverName: 'shop', toolName: 'track', arguments: { order: 2 } },
        ],
        scores: [],
      },
    ],
  ]),
  surface,
  lineOf: (id) => ({ case_1: 12, case_2: 20 })[id],
  hashOf: (id) => ({ case_1: 'c1', case_2: 'c2' })[id],
};
const green: SuiteReadout = {
  ...red,
  file: 'more.suite.yaml',
  name: 'More',
  exitCode: 0,
  summary: decidedSummary(['p']),
  notPassed: [],
};

test('a suite has its counts, cases, models, cost and tools', () => {
  const { summary: _, ...document } = documentSuite(red);
  expect(document).toEqual({
    file: 'orders.suite.yaml',
    id: 'orders',
    suite: 'Orders',
    runId: 'run_42',
    createdAt: 1_000,
    exitCode: 1,
    headline: 'FAILED: 1 of 2 cases · proofmark/lexical-1 · 2.5 s · 92 tokens · free',
    verdict: 'failed',
    stage: 'selection',
    stops: { selection: 1 },
    counts: { total: 2, passed: 1, failed: 1, inconclusive: 0 },
    cases: [
      {
        id: 'case_1',
        title: 'Find an order',
        line: 12,
        hash: 'c1',
        verdict: 'passed',
        trials: { graded: 1, passed: 1 },
        durationMs: 40,
      },
      expect.objectContaining({
        id: 'case_2',
        line: 20,
        hash: 'c2',
        failedTrials: [
          {
            id: 'itr_1',
            expectedToolCalls: [{ toolName: 'ship' }],
            actualToolCalls: [{ serverName: 'shop', toolName: 'track' }],
          },
        ],
        verdict: 'failed',
        trials: { graded: 2, passed: 1 },
        flaky: true,
        durationMs: 120,
        stage: 'selection',
        expected: 'ship(order: 1)',
        observed: 'track(order: 1), track(order: 2)',
        checks: ['"ship" was never called.'],
        nextAction: expect.stringContaining('Compare the tools'),
      }),
    ],
    models: ['proofmark/lexical-1'],
    tokens: { input: 80, output: 12, total: 92 },
    cost: { credits: 0, priced: true },
    durationMs: 2_500,
    surface,
  });
  const [, failed] = documentSuite(red).cases;
  expect(failed?.chain?.map(({ stage, state }) => `${stage} ${state}`).slice(1, 4)).toEqual([
    'discovery passed',
    'selection failed',
    'call notReached',
  ]);
});

test('one suite gives the document its headline and verdict, several a sum', () => {
  const one = testDocument([red], { asked: 1, exitCode: 1 });
  expect(one).toMatchObject({ format: 'proofmark-test', version: 1, verdict: 'failed' });
  expect(one.headline).toBe(one.suites[0]?.headline);
  const two = testDocument([red, green], { asked: 2, exitCode: 1 });
  expect(two.headline).toMatch(/^FAILED: 1 of 2 suites · 2 of 3 cases passed ·/);
  expect(two).toMatchObject({ verdict: 'failed', exitCode: 1 });
});

test('a changed pin fails the document of suites that passed', () => {
  const changedPins = [{ serverName: 'shop', message: 'A tool was added.' }];
  const document = testDocument([green], { asked: 1, exitCode: 1, changedPins });
  expect(document).toMatchObject({ verdict: 'failed', exitCode: 1, changedPins });
  expect(document.headline).toMatch(/^FAILED: 1 server differs from its pin; 1 of 1 suite passed/);
  const junit = renderJunitOfAll([], changedPins);
  expect(junit).toContain('tests="1" failures="1"');
  expect(junit).toContain('<failure message="A tool was added." type="pin"/>');
});

test('a suite of several that was not tested leaves the document without a passed verdict', () => {
  const cut = testDocument([green], { asked: 2, exitCode: 3 });
  expect(cut).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  expect(cut.headline).toMatch(/^INCONCLUSIVE: 1 of 2 suites passed/);
});

test('a run without a decision has no cases, and is inconclusive', () => {
  const open = { ...green, exitCode: 3, summary: summaryOf({ status: 'running' }) };
  expect(documentSuite(open)).toMatchObject({
    verdict: 'inconclusive',
    counts: { total: 0 },
    cases: [],
  });
});
