import { expect, test } from 'vitest';
import { quarantineDaysLeft } from '../gates/quarantine-entry.ts';
import { FileQuarantineEntry, quarantineFromFile } from '../gates/quarantine-of-file.ts';
import { type FlakyCase, flakyCase, suggestedDays, suggestedQuarantine } from './flaky-suite.ts';
import { resultTurns } from './result-turns.ts';

const flaky: FlakyCase = {
  testCaseId: 'cas_1',
  caseId: 'weather',
  title: 'Weather',
  model: 'local/one',
  state: 'flaky',
  steady: false,
  runs: 4,
  trials: 20,
  passed: 13,
  quarantined: false,
};
const now = Date.UTC(2026, 10, 19);

test('a flaky case is suggested for two weeks', () => {
  expect(suggestedQuarantine([flaky], now)).toBe(
    [
      'quarantine:',
      '  - case: "weather"',
      '    owner: "" # the person who repairs the case',
      '    reason: "Flaky: 13 of 20 graded trials passed over 4 runs."',
      '    expires: "2026-12-02"',
    ].join('\n'),
  );
});

test('the suggested entry has as many days left as the suggestion says', () => {
  for (const at of [now, now + 1, now + 86_399_999]) {
    const [, expires = ''] =
      /expires: "([^"]+)"/.exec(suggestedQuarantine([flaky], at) ?? '') ?? [];
    const entry = { case: 'weather', owner: 'Mika', reason: 'Slow', expires };
    expect(quarantineDaysLeft(quarantineFromFile(entry).expiresAt, at)).toBe(suggestedDays);
  }
});

test('the suggested entry is refused until it names an owner', () => {
  const entry = { case: 'weather', owner: '', reason: 'Slow', expires: '2026-12-02' };
  const read = FileQuarantineEntry.safeParse(entry);
  expect(read.error?.issues).toMatchObject([
    { path: ['owner'], message: 'Name the person who repairs the case.' },
  ]);
  expect(FileQuarantineEntry.safeParse({ ...entry, owner: 'Mika' }).success).toBe(true);
});

test('a model is named where the case has others', () => {
  const other = { ...flaky, model: 'local/two', state: 'undetermined' as const };
  expect(suggestedQuarantine([flaky, other], now)).toContain('    model: "local/one"');
});

test('rows of a case are named once', () => {
  const row = { ...flaky, testCaseId: 'cas_1-0123456789ab' };
  expect(suggestedQuarantine([flaky, row], now)?.match(/- case:/g)).toHaveLength(1);
});

test.each([
  ['it is in quarantine', { quarantined: true }],
  ['it regressed', { state: 'regressed' as const }],
  ['nothing is known', { state: 'undetermined' as const }],
])('nothing is suggested where %s', (_, more) => {
  expect(suggestedQuarantine([{ ...flaky, ...more }], now)).toBeNull();
});

test('a history is told with its counts', () => {
  const results = resultTurns([false, false, false, true, true, true, true, true]);
  const history = { caseId: 'cas_1', model: null, provider: null, runs: 2, lastRunId: 'run_1' };
  const presented = flakyCase(
    { ...history, firstEndedAt: 1, lastEndedAt: 2, results, isRegressed: false },
    { caseId: 'weather', title: 'Weather', quarantined: false },
  );
  expect(presented).toEqual({
    ...flaky,
    model: null,
    runs: 2,
    trials: 8,
    passed: 5,
  });
});
