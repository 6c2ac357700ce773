import { describe, expect, it } from 'vitest';
import { summaryVerdicts } from './verdict-source.ts';
import { isInForce, mayWaive, waiverProblem } from './waiver.ts';

const nowMs = 1_800_000_000_000;
const days30 = 2_592_000_000;
const fair = { expiresAt: nowMs + 1, reason: 'Known outage.' };

describe('a waiver', () => {
  it.each([
    ['one millisecond ahead', fair],
    ['exactly 30 days ahead', { ...fair, expiresAt: nowMs + days30 }],
    ['with a reason of 500 characters', { ...fair, reason: 'x'.repeat(500) }],
    ['with blanks around 500 characters', { ...fair, reason: ` ${'x'.repeat(500)}\n` }],
  ])('%s is granted', (_title, body) => {
    expect(waiverProblem(body, nowMs)).toBeUndefined();
  });

  it.each([
    ['that ends now', { ...fair, expiresAt: nowMs }, 'expiresAt'],
    ['that ended', { ...fair, expiresAt: nowMs - 1 }, 'expiresAt'],
    ['more than 30 days ahead', { ...fair, expiresAt: nowMs + days30 + 1 }, 'expiresAt'],
    ['with half a millisecond', { ...fair, expiresAt: nowMs + 1.5 }, 'expiresAt'],
    ['with an instant as text', { ...fair, expiresAt: '2027-02-01T00:00:00Z' }, 'expiresAt'],
    ['with an instant that is no number', { ...fair, expiresAt: Number.NaN }, 'expiresAt'],
    ['without an end', { reason: 'x' }, 'expiresAt'],
    ['without a reason', { expiresAt: nowMs + 1 }, 'reason'],
    ['with a blank reason', { ...fair, reason: ' \n ' }, 'reason'],
    ['with a reason of 501 characters', { ...fair, reason: 'x'.repeat(501) }, 'reason'],
    ['with a reason that is no text', { ...fair, reason: 5 }, 'reason'],
    ['with an unknown key', { ...fair, note: 'x' }, 'note'],
    ['that is a list', [fair], ''],
    ['that is nothing', null, ''],
    ['that is text', 'x', ''],
  ])('%s is refused', (_title, body, path) => {
    const problem = waiverProblem(body, nowMs);
    expect(problem?.path).toBe(path);
    expect(problem?.message).toMatch(/\.$/);
  });

  it.each([
    ['before its end', { expiresAt: nowMs + 1, revokedAt: null }, true],
    ['before its end, never revoked', { expiresAt: nowMs + 1 }, true],
    ['at its end', { expiresAt: nowMs, revokedAt: null }, false],
    ['once revoked', { expiresAt: nowMs + 1, revokedAt: nowMs - 1 }, false],
    ['once revoked at the first instant', { expiresAt: nowMs + 1, revokedAt: 0 }, false],
  ])('%s is in force: %o %s', (_title, waiver, inForce) => {
    expect(isInForce(waiver, nowMs)).toBe(inForce);
  });

  it('is possible only over a run that failed', () => {
    expect(summaryVerdicts.filter(mayWaive)).toEqual(['failed']);
  });
});
