import type { RunReplay } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { decisionFile, type FiledDecision } from './decision-file.ts';
import { chainStoppedAt, decidedSummary, trial } from './example-summaries.ts';
import { githubAnnotations } from './github-report.ts';
import { renderSummary } from './render-summary.ts';
import type { SurfaceToRender } from './surface-words.ts';

const surface: SurfaceToRender = {
  added: [],
  removed: [{ toolName: '<b>orders</b> & `more`', failingTrials: 2 }],
  renamed: [{ from: 'find', to: 'search', failingTrials: 1 }],
  changed: [{ toolName: 'ship', what: 'title', effect: 'words', failingTrials: 0 }],
  totals: { added: 0, removed: 1, renamed: 1, changed: 1 },
};
const replay: RunReplay = {
  runId: 'run_7',
  model: 'recorded',
  servers: 'live',
  onDivergence: 'live',
  trials: 3,
  diverged: 1,
  notRecorded: 0,
  mostFrequent: {
    side: 'server',
    kind: 'result',
    serverName: 'Orders',
    toolName: 'find',
    turn: 0,
    path: '/content',
    before: '1',
    after: '2',
    trials: 1,
    message: 'The tool "find" of "Orders" answered differently than recorded at /content.',
  },
};
const failing = trial(1, {
  caseId: 'case_1',
  title: 'Find an order',
  ...chainStoppedAt('selection', 'missingToolCall', 'selection'),
});
const summary = { ...decidedSummary(['fff'], [failing]), replay };
const decision: FiledDecision = {
  run: {
    id: 'run_42',
    projectId: 'prj_1',
    source: 'api',
    status: 'completed',
    result: 'failed',
    verdictPolicyVersion: 2,
    verdictSummary: null,
    summary: { total: 3, passed: 0 },
    iterationCount: 3,
    runNumber: 3,
    createdAt: 1_763_337_600_000,
    completedAt: 1_763_337_612_345,
    assertsNothing: { caseVariants: 0 },
    gateWaiver: null,
  },
  summary,
  isAll: true,
  calls: undefined,
  surface,
  suiteName: 'Order desk',
  baseUrl: 'https://proofmark.example',
};

test.each([
  ['markdown', 'md.txt'],
  ['html', 'html'],
  ['junit', 'junit.xml'],
] as const)(
  '%s says of which run it is a replay, and the candidates for the cause',
  async (format, ending) => {
    const text = decisionFile(format, decision);
    await expect(text).toMatchFileSnapshot(`golden/tools-changed.${ending}`);
    // In JUnit, a run without a result is also written as a test case, so the sentence occurs
    // twice.
    const times = format === 'junit' ? 2 : 1;
    expect(text.match(/Replayed from run/g)).toHaveLength(times);
    expect(text.match(/candidates for the cause/g)).toHaveLength(times);
    const { surface: _surface, ...others } = decision;
    expect(decisionFile(format, others)).not.toContain('candidates for the cause');
  },
);

test('text says the same', async () => {
  const text = renderSummary(summary, { format: 'text', surface, assertsNothing: 0 });
  await expect(text).toMatchFileSnapshot('golden/tools-changed.txt');
});

test('JSON has the replay where every reader finds it', () => {
  expect(JSON.parse(decisionFile('json', decision))).toMatchObject({ replay, verdict: 'failed' });
});

test('the first annotation of GitHub says it, and those of trials do not', () => {
  const [whole = '', ...others] = githubAnnotations(summary, { isWaived: false, surface });
  const [verdict, origin, diverged, head, first, second, ...rest] = whole.split('%0A');
  expect(verdict).toMatch(/^::warning title=Proofmark::NO ANSWER/);
  expect(origin).toBe('Replayed from run run_7, with its recorded model and the current servers.');
  expect(diverged).toMatch(/^1 of 3 replayed trials diverged from the recording/);
  expect(head).toMatch(/3 differences .* candidates for the cause:$/);
  expect(first).toMatch(/^The tool "<b>orders<\/b> & `more`" is gone; 2 failing trials/);
  expect(second).toMatch(/^The tool "find" is called "search" now; 1 failing trial/);
  expect(rest).toEqual([]);
  expect(others.join()).not.toMatch(/eplayed|candidates/);
  const passed = githubAnnotations(decidedSummary(['ppp']), { isWaived: false, surface });
  expect(passed.join()).not.toContain('candidates');
});
