import type { DoctorReport } from '@proofmark/contract';
import { doctorChecks } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { checkRows, reportVerdict, withCheck } from './doctor-progress.ts';

const ok = { status: 'ok', detail: 'Fine.' } as const;
const states = (rows: readonly { state: string }[]) => rows.map(({ state }) => state);

function report(status: DoctorReport['status'], wrong: readonly string[]): DoctorReport {
  const checks = doctorChecks.map((name) => [
    name,
    wrong.includes(name) ? { status: 'error', detail: 'Bad.' } : ok,
  ]);
  return { status, checks: Object.fromEntries(checks) } as DoctorReport;
}

describe('an examination', () => {
  test('shows all checks in their order before it has begun', () => {
    const rows = checkRows({}, false);
    expect(rows.map(({ name }) => name)).toEqual(doctorChecks);
    expect(new Set(states(rows))).toEqual(new Set(['waiting']));
  });

  test('the first check that is not known is the one that runs', () => {
    expect(states(checkRows({ probe: ok }, true))).toEqual([
      'ok',
      'running',
      ...Array(6).fill('waiting'),
    ]);
    expect(states(checkRows({ probe: ok }, false))).not.toContain('running');
  });

  test('takes what a line tells, and nothing else', () => {
    const line = { check: 'probe', status: 'error', detail: 'No.', advice: 'Do.', durationMs: 3 };
    expect(withCheck({}, { ...line, other: 1 })).toEqual({
      probe: { status: 'error', detail: 'No.', advice: 'Do.', durationMs: 3 },
    });
    const known = { probe: ok };
    for (const odd of [{}, { check: 'toString', status: 'ok' }, { check: 'tools', status: 'x' }]) {
      expect(withCheck(known, odd)).toBe(known);
    }
  });

  test.each([
    ['ready', [], 'pass', 'Ready: 8 of 8 checks passed, none failed.'],
    ['partial', ['tools'], 'hold', 'Works in part: 1 of 8 checks failed, 7 passed.'],
    ['error', ['probe', 'tools'], 'fail', 'Failed: 2 of 8 checks failed, 6 passed.'],
    ['oauth_required', ['connection'], 'hold', 'OAuth needed: the server requires an OAuth grant'],
  ] as const)('ends with a sentence: %s', (status, wrong, tone, words) => {
    const verdict = reportVerdict(report(status, wrong));
    expect(verdict.tone).toBe(tone);
    expect(`${verdict.word}: ${verdict.sentence}`).toContain(words);
  });
});
