import { decideRun, type ReadRun, resolvePolicy, summaryOfRun } from '@proofmark/domain';
import { documentSuite, type SurfaceToRender } from '@proofmark/report';
import { expect, test } from 'vitest';
import { isShownByRun, type TestedSuite, testedText } from './test-suite.ts';
import { watchScreen } from './watch-screen.ts';

const terminal = { ascii: false, width: 120, isColoured: false };
const service = { isOver: true };
const candidates = [
  'Its tools have 1 difference from the run it is compared with; candidates for the cause:',
  'The tool "weather" is gone; 1 failing trial has to do with it.',
];
const changed: SurfaceToRender = {
  added: [],
  removed: [{ toolName: 'weather', failingTrials: 1 }],
  renamed: [],
  changed: [],
  totals: { added: 0, removed: 1, renamed: 0, changed: 0 },
};
const tested = (surface: SurfaceToRender | undefined): TestedSuite => {
  const run = {
    id: 'run_1',
    projectId: 'prj_1',
    source: 'api',
    status: 'completed',
    createdAt: 1000,
    completedAt: 4200,
    gateWaiver: null,
    summary: { total: 1, passed: 0 },
    iterationCount: 1,
  };
  const diagnostics = { items: [], complete: true, scannedIterations: 1 };
  const summary = {
    schemaVersion: 1,
    runId: 'run_1',
    runStatus: 'completed',
    verdict: 'failed',
    verdictSource: 'legacy',
    counts: { total: 1, passed: 0, failed: 1 },
    diagnostics,
  };
  const quarantine = { letThrough: [], stale: [], excusesAll: false };
  const decision = {
    run,
    summary,
    quarantine,
    surface,
    isAll: true,
    notPassed: [],
    calls: new Map(),
  };
  const of = { file: 'a.suite.yaml', name: 'A', runId: 'run_1' };
  const trials = { passed: [], notPassed: [], calls: new Map(), lineOf: () => undefined };
  const readout = { ...of, run, summary, changes: surface, exitCode: 1, ...trials };
  return { ...of, decision, readout, exitCode: 1, warnings: [] } as unknown as TestedSuite;
};

test('the text and the JSON of a test name them', () => {
  expect(testedText(tested(changed), service, terminal)).toContain(candidates.join('\n'));
  expect(documentSuite(tested(changed).readout)).toMatchObject({ candidates });
  expect(testedText(tested(undefined), service, terminal)).not.toContain('candidates');
  expect(documentSuite(tested(undefined).readout)).not.toHaveProperty('candidates');
});

test('a replay that went another way is no answer, whatever was graded of it', () => {
  const one = tested(undefined);
  const replay = {
    runId: 'run_0',
    model: 'recorded',
    servers: 'recorded',
    onDivergence: 'stop',
    trials: 15,
    diverged: 1,
    notRecorded: 1,
    mostFrequent: null,
  };
  const summary = { ...one.decision.summary, replay };
  const diverged = { ...one, decision: { ...one.decision, summary } } as TestedSuite;
  const text = testedText(diverged, service, terminal);
  expect(text).toMatch(
    /^NO ANSWER: 14 of 16 trials went as recorded · .*\nA replay decides only if/,
  );
  expect(text).not.toMatch(/FAILED|PASSED|INCONCLUSIVE/);
  expect(testedText(one, service, terminal)).toMatch(/^FAILED/);
});

test('while a test waits for changes they stand first of what is wrong', () => {
  const of = (surface: SurfaceToRender | undefined) =>
    watchScreen([{ ...tested(surface), trials: [] }], { ...terminal, rows: 23 }, 'waiting.');
  const [head = '', one = ''] = candidates;
  const lines = of(changed);
  expect(lines.slice(lines.indexOf(head), -1)).toEqual([head, `  ${one}`]);
  expect(of(undefined)).not.toContain(head);
});

test('a name in allowWrites that no server lists is told once, in the readout', () => {
  const unlisted = { total: 1, toolNames: ['odrer'] };
  const warning = { code: 'TOOL_NOT_LISTED', path: 'body.content.defaults.allowWrites[0]' };
  expect(isShownByRun(warning, { leftOut: { unlisted } })).toBe(true);
  expect(isShownByRun(warning, {})).toBe(false);
  const ofCase = { ...warning, path: 'cases[0].assertions[0].toolName' };
  expect(isShownByRun(ofCase, { leftOut: { unlisted } })).toBe(false);
});

test('ten green cases fit a window of 25 lines', () => {
  const ids = Array.from({ length: 10 }, (_, at) => `case_${at + 1}`);
  const answer = decideRun({
    policy: resolvePolicy(),
    cases: ids.map((caseId) => ({
      caseId,
      configuredTrials: 1,
      effectivePassThreshold: 1,
      trials: [{ status: 'completed', taskVerdict: 'passed' }],
    })),
  });
  if (!('decision' in answer)) throw new Error(answer.integrityError);
  const one = tested(undefined);
  const run = { ...one.decision.run, verdictPolicyVersion: 2, verdictSummary: answer.decision };
  const titles = ids.map((id) => [id, `Finds ${id} by the words of its name, and calls it`]);
  const caseTitles = Object.fromEntries(titles);
  const summary = summaryOfRun({ ...run, result: 'passed' } as ReadRun, { items: [], isAll: true });
  const green = { ...one, decision: { ...one.decision, run: { ...run, caseTitles }, summary } };
  const shown = { consoleUrl: 'http://127.0.0.1:3300', isOver: true };
  const text = testedText(green as TestedSuite, shown, { ...terminal, width: 80 });
  expect(text).toMatch(/^PASSED: 10 of 10 cases ·/);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
});
