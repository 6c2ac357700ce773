import { expect, test } from 'vitest';
import type { LiveTrial } from '../../remote/live-lines.ts';
import { seldom } from './follow-test.ts';
import { type Outcome, watchScreen } from './watch-screen.ts';

const screen = { ascii: false, width: 80, rows: 23, isColoured: false };
const trial = (title: string, result: 'passed' | 'failed'): LiveTrial => ({
  testCaseId: null,
  title,
  model: 'm',
  status: 'completed',
  result,
  durationMs: 12,
});
const failing = (title: string) => ({
  iterationId: `itr_${title}`,
  iterationNumber: 1,
  status: 'completed',
  result: 'failed',
  title,
  caseId: title,
  chain: { status: 'absent' },
  error: 'It broke.',
  nextAction: 'none',
  evidence: { traceRef: '' },
});
const suite = (name: string, trials: readonly LiveTrial[], warnings: string[] = []): Outcome => {
  const bad = trials.filter(({ result }) => result === 'failed');
  const diagnostics = { items: bad.map(({ title }) => failing(title as string)), complete: true };
  const summary = { runId: 'run_1', verdict: 'failed', runStatus: 'completed', diagnostics };
  const decision = { run: { status: 'completed' }, summary, calls: new Map(), isAll: true };
  const exitCode = bad.length === 0 ? 0 : 1;
  return {
    file: `${name}.yaml`,
    name,
    runId: 'run_1',
    decision,
    exitCode,
    warnings,
    trials,
  } as never;
};
const signs = (lines: readonly string[]) => lines.map((line) => [...line][0]).join('');

test('cases that fail come first, whatever suite they are of, then why they did', () => {
  const outcomes = [
    suite('green', [trial('One', 'passed')], ['warning: old news']),
    suite(
      'red',
      [trial('Two', 'passed'), trial('Three', 'failed')],
      ['warning: no such tool\n  at x'],
    ),
  ];
  const lines = watchScreen(outcomes, screen, 'waiting for changes.');
  expect(signs(lines.slice(0, 3))).toBe('✗✓✓');
  expect(lines[0]).toMatch(/^✗ red: Three /);
  expect(lines[1]).toMatch(/^✓ green: One /);
  expect(lines[4]).toBe('red: Three, trial 1: failed');
  expect(lines.slice(-3)).toEqual(['warning: no such tool', 'at x', 'waiting for changes.']);
  expect(lines.join()).not.toContain('old news');
});

test('a suite that cannot be read comes before all', () => {
  const untested = { file: 'b.yaml', problem: ['1 mistake.', 'Line 3: no.'], exitCode: 3 };
  const lines = watchScreen([suite('a', [trial('One', 'passed')]), untested], screen, 'waiting.');
  expect(lines.slice(0, 2)).toEqual(['b.yaml: 1 mistake.', 'Line 3: no.']);
  expect(signs(lines.slice(2))).toBe('✓w');
});

test.each([6, 10, 23])('in a window of %i rows nothing scrolls', (rows) => {
  const many = Array.from({ length: 30 }, (_, at) =>
    trial(`Case ${at}`, at < 5 ? 'failed' : 'passed'),
  );
  const lines = watchScreen([suite('a', many)], { ...screen, rows }, 'waiting.');
  expect(lines.length).toBeLessThanOrEqual(rows);
  expect(lines[0]).toMatch(/^✗/);
  expect(lines.at(-1)).toBe('waiting.');
  expect(lines.join('\n')).toMatch(/\d+ more/);
});

test('a long test says how far it is now and then, a short one nothing', () => {
  const printed: string[] = [];
  let nowMs = 0;
  const tell = seldom(
    (sentence) => printed.push(sentence),
    () => nowMs,
  );
  for (const at of [0, 5_000, 15_000, 20_000, 31_000]) {
    nowMs = at;
    tell(`${at}`);
  }
  expect(printed).toEqual(['15000', '31000']);
});
