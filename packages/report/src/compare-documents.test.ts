import { expect, test } from 'vitest';
import { compareDocuments } from './compare-documents.ts';
import { documentStatistics } from './document-statistics.ts';
import { decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { readTestDocument } from './read-test-document.ts';
import { type SuiteReadout, testDocument } from './test-document.ts';

const tool = (description: string) => ({ name: 'ship', description });

/** A suite as `readTestDocument` returns it. `cases` holds one letter for each trial. */
function tested(cases: readonly string[], more: Partial<SuiteReadout> = {}, runId = 'run_42') {
  const readout: SuiteReadout = {
    file: 'orders.suite.yaml',
    id: 'orders',
    name: 'Orders',
    exitCode: 0,
    summary: { ...decidedSummary(cases), runId },
    run: { createdAt: 1_000, completedAt: 3_500, caseTitles: { case_1: 'Ship an order' } },
    passed: [],
    notPassed: [],
    calls: new Map(),
    surface: {
      hash: 'a1',
      servers: [{ name: 'shop', hash: 'b2', tools: ['ship'], listed: [tool('Ships.')] }],
    },
    lineOf: () => undefined,
    hashOf: () => 'c1',
    ...more,
  };
  const text = JSON.stringify(testDocument([readout], { asked: 1, exitCode: 0 }));
  const [suite] = readTestDocument(text) ?? [];
  if (suite?.decision === undefined) throw new Error('The document cannot be read.');
  return { file: 'head.json', suite, decision: suite.decision };
}

const at = (createdAt: number) => ({
  run: { createdAt, completedAt: createdAt + 500, caseTitles: {} },
});
const countWords = (text: string) => text.split(' ').length;

test('a case that got worse is told with its counts, and whether that is more than chance', () => {
  const base = { ...tested(['ppppp', 'p']), file: 'base.json' };
  const compared = compareDocuments(base, tested(['fffff', 'p', 'p']), countWords);
  expect(compared.cases).toMatchObject([
    {
      caseKey: 'case_1',
      title: 'Ship an order',
      status: 'regressed',
      significance: 'outside_noise',
      base: { outcome: 'passed', passedTrials: 5, eligibleTrials: 5 },
      compare: { outcome: 'failed', passedTrials: 0, eligibleTrials: 5 },
    },
    { caseKey: 'case_2', status: 'unchanged_passed' },
    { caseKey: 'case_3', status: 'new_case' },
  ]);
  expect(compared.baseRun).toMatchObject({ file: 'base.json', id: 'run_42', result: 'passed' });
  expect(compared.compareRun).toMatchObject({ createdAt: 1_000, completedAt: 3_500 });
  expect(compared.passSummary.passed).toMatchObject({ base: 6, compare: 2, delta: -4 });
});

test('a changed tool is told with the failing trials that it touches, and its tokens', () => {
  const call = { serverName: 'shop', toolName: 'ship', arguments: { order: 1 } };
  const failing = trial(1, { caseId: 'case_1', expectedToolCalls: [call] });
  const after = tested(['f'], {
    summary: decidedSummary(['f'], [failing]),
    calls: new Map([['itr_1', { expectedToolCalls: [call], actualToolCalls: [], scores: [] }]]),
    surface: {
      hash: 'a2',
      servers: [{ name: 'shop', hash: 'b3', tools: ['ship'], listed: [tool('Sends it off.')] }],
    },
  });
  const { surface, tokens } = compareDocuments(tested(['p']), after, countWords);
  expect(surface).toMatchObject({
    baseHash: 'a1',
    hash: 'a2',
    totals: { added: 0, removed: 0, renamed: 0, changed: 1 },
    changed: [{ toolName: 'ship', what: 'description', failingTrials: 1, trials: ['itr_1'] }],
  });
  expect(tokens.compare.total.o200k_base).toBeGreaterThan(tokens.base.total.o200k_base);
});

test('an edited case is told as such', () => {
  const edited = tested(['p'], { hashOf: () => 'c2' });
  const changed = (one: typeof edited) =>
    compareDocuments(tested(['p']), one, undefined).cases[0]?.configChanged;
  expect(changed(edited)).toBe(true);
  expect(changed(tested(['p']))).toBe(false);
});

test('a text of another shape is not read, and a run that did not end has no decision', () => {
  for (const text of ['PK', '[]', '{"format":"proofmark-test","version":2,"suites":[]}']) {
    expect(readTestDocument(text)).toBeUndefined();
  }
  const cut = { format: 'proofmark-test', version: 1, suites: [{ suite: 'Orders' }] };
  expect(readTestDocument(JSON.stringify(cut))).toBeUndefined();
  const open = summaryOf({ status: 'cancelled' });
  expect(() => tested(['p'], { summary: open })).toThrow('cannot be read');
});

test('statistics are about the newest test, over all with the same tools, in order of time', () => {
  const first = tested(['pp'], at(1_000), 'run_1');
  const second = tested(['ff'], at(2_000), 'run_2');
  const third = tested(['pp'], at(3_000), 'run_3');
  const statistics = documentStatistics([third, first, second, first], 2);
  expect(statistics).toMatchObject({
    runId: 'run_3',
    k: 2,
    toolSurface: { state: 'one', hash: 'a1' },
    cases: [
      {
        caseId: 'case_1',
        eligibleTrials: 2,
        passedTrials: 2,
        passHatK: 1,
        passThreshold: 0.8,
        flakiness: { runs: 3, eligibleTrials: 6, passedTrials: 4, flips: 2, stability: 'mixed' },
      },
    ],
  });
});

test.each<[string, Partial<SuiteReadout>]>([
  ['of other tools', { surface: { hash: 'a2', servers: [] } }],
  ['from before the case was edited', { hashOf: () => 'c0' }],
  [
    'on another model',
    { passed: [{ caseId: 'case_1', title: null, model: 'm', provider: null, durationMs: 1 }] },
  ],
])('a test %s says nothing about flakiness', (_title, more) => {
  const before = tested(['ff'], { ...at(1_000), ...more }, 'run_1');
  const { cases } = documentStatistics([before, tested(['pp'], at(2_000), 'run_2')], null);
  expect(cases[0]?.flakiness).toMatchObject({ runs: 1, passedTrials: 2, stability: 'stable pass' });
});

test('without the tools of the newest test nothing is said about flakiness', () => {
  const { toolSurface, cases } = documentStatistics([tested(['pp'], { surface: undefined })], null);
  expect(toolSurface).toEqual({ state: 'unknown' });
  expect(cases[0]?.flakiness).toBeNull();
});
