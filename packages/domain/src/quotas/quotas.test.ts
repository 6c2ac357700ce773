import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DailyQuotaName,
  largestQuota,
  nextUtcMidnight,
  noQuotas,
  parseQuota,
  type QuotaStanding,
  quotaNames,
  quotasOf,
  refuseBeyondQuota,
} from './quotas.ts';

const noon = Date.UTC(2026, 10, 16, 12);
const nothingUsed = { storedBytes: 0, trialsPerDay: 0, uploadBytesPerDay: 0 };
const standing = (changed: {
  readonly quotas?: Partial<QuotaStanding['quotas']>;
  readonly used?: Partial<QuotaStanding['used']>;
}): QuotaStanding => ({
  quotas: { ...noQuotas, ...changed.quotas },
  used: { ...nothingUsed, ...changed.used },
  nowMs: noon,
});

const amount = fc.integer({ min: 0, max: 1000 });
const limit = fc.option(fc.integer({ min: 0, max: 1000 }));
const daily = fc.constantFrom<DailyQuotaName>('trialsPerDay', 'uploadBytesPerDay');
const anyStanding = fc.record({
  quotas: fc.record({ storedBytes: limit, trialsPerDay: limit, uploadBytesPerDay: limit }),
  used: fc.record({ storedBytes: amount, trialsPerDay: amount, uploadBytesPerDay: amount }),
  nowMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
});

describe('quotas of an organization', () => {
  test('refuse exactly what would go beyond one of them', () => {
    fc.assert(
      fc.property(anyStanding, daily, amount, (at, name, wanted) => {
        const { storedBytes, [name]: allowed } = at.quotas;
        const isFull = storedBytes !== null && at.used.storedBytes >= storedBytes;
        const isBeyond = allowed !== null && at.used[name] + wanted > allowed;
        const isRefused = refuseBeyondQuota(at, name, wanted) !== undefined;
        expect(isRefused).toBe(wanted > 0 && (isFull || isBeyond));
      }),
    );
  });

  test('tell to wait only where waiting helps, and then to the second', () => {
    fc.assert(
      fc.property(anyStanding, daily, amount, (at, name, wanted) => {
        const refused = refuseBeyondQuota(at, name, wanted);
        if (refused === undefined) return;
        const tomorrow = { ...at, used: { ...at.used, [name]: 0 } };
        const waits = refuseBeyondQuota(tomorrow, name, wanted) === undefined;
        expect(refused.refusal.code).toBe(waits ? 'RATE_LIMITED' : 'FORBIDDEN');
        expect(refused.retryAfterSeconds !== undefined).toBe(waits);
        if (refused.retryAfterSeconds === undefined) return;
        const { resetsAt } = refused.refusal.details as { resetsAt: number };
        expect(resetsAt % 86_400_000).toBe(0);
        expect(at.nowMs + refused.retryAfterSeconds * 1000).toBeGreaterThanOrEqual(resetsAt);
        expect(refused.retryAfterSeconds).toBeLessThanOrEqual(86_400);
      }),
    );
  });

  test('say what the limit is, what was used and what to do', () => {
    const at = standing({ quotas: { trialsPerDay: 1000 }, used: { trialsPerDay: 995 } });
    expect(refuseBeyondQuota(at, 'trialsPerDay', 5)).toBeUndefined();
    expect(refuseBeyondQuota(at, 'trialsPerDay', 6)).toEqual({
      refusal: {
        code: 'RATE_LIMITED',
        message:
          'The organization has used 995 of its 1,000 trials for today, and this request needs 6; wait until 00:00 UTC, or ask the operator of this installation for more.',
        details: {
          reason: 'DAILY_LIMIT',
          limit: 'trialsPerDay',
          allowedValue: 1000,
          currentValue: 995,
          resetsAt: Date.UTC(2026, 10, 17),
        },
      },
      retryAfterSeconds: 12 * 3600,
    });
    expect(refuseBeyondQuota(at, 'trialsPerDay', 1001)?.refusal).toEqual({
      code: 'FORBIDDEN',
      message:
        'This request needs 1,001 trials, but the organization may use only 1,000 a day; make the request smaller, or ask the operator of this installation for more.',
      details: { limit: 'trialsPerDay', allowedValue: 1000, currentValue: 995 },
    });
    const full = standing({ quotas: { storedBytes: 5000 }, used: { storedBytes: 5000 } });
    expect(refuseBeyondQuota(full, 'uploadBytesPerDay', 1)).toEqual({
      refusal: {
        code: 'FORBIDDEN',
        message:
          'The organization stores 5,000 bytes, and its limit is 5,000; delete suites that are no longer needed, or ask the operator of this installation for more.',
        details: {
          reason: 'STORAGE_LIMIT',
          limit: 'storedBytes',
          allowedValue: 5000,
          currentValue: 5000,
        },
      },
    });
  });

  test('an organization has its own, and else those of the settings', () => {
    const defaults = { ...noQuotas, trialsPerDay: 10, storedBytes: 20 };
    expect(quotasOf(defaults, { trialsPerDay: null })).toEqual({
      storedBytes: 20,
      trialsPerDay: null,
      uploadBytesPerDay: null,
    });
    expect(Object.keys(quotasOf(defaults, {})).sort()).toEqual([...quotaNames].sort());
  });

  test.each([
    ['none', null],
    ['0', 0],
    ['250', 250],
    [String(largestQuota), largestQuota],
    ['9007199254740992', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['10GB', undefined],
  ])('%s is read as %s', (text, expected) => {
    expect(parseQuota(text)).toBe(expected);
  });

  test('a day ends at midnight, UTC', () => {
    expect(nextUtcMidnight(noon)).toBe(Date.UTC(2026, 10, 17));
    expect(nextUtcMidnight(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe(Date.UTC(2027, 0));
    expect(nextUtcMidnight(Date.UTC(2027, 0))).toBe(Date.UTC(2027, 0, 2));
  });
});
