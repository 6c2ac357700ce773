import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refused } from '../kernel/refusal.ts';
import { nextUtcMidnight } from '../quotas/quotas.ts';
import { costOfCalls } from './cost-of-calls.ts';
import { priceStep, worstCase } from './ledger.ts';
import { dayUsedUp, outOfCredits, tooFast } from './refusals.ts';

const price = { inputPerMillion: 0.15, outputPerMillion: 0.6 };

test('a credit is one cent by the price for a million tokens', () => {
  expect(priceStep(price, { inputTokens: 1_000_000, outputTokens: 1_000_000 })).toEqual({
    credits: 75,
    priced: true,
  });
  expect(priceStep(price, { inputTokens: 3, outputTokens: 1 })).toEqual({
    credits: 0.000105,
    priced: true,
  });
});

test('unknown is not free', () => {
  expect(priceStep(undefined, { inputTokens: 3, outputTokens: 1 }).priced).toBe(false);
  expect(priceStep(price, { inputTokens: null, outputTokens: 1 }).priced).toBe(false);
  expect(priceStep(price, { inputTokens: 1.5, outputTokens: 1 }).priced).toBe(false);
  const free = { inputPerMillion: 0, outputPerMillion: 0 };
  expect(priceStep(free, { inputTokens: null, outputTokens: null })).toEqual({
    credits: 0,
    priced: true,
  });
});

const anyPrice = fc.record({
  inputPerMillion: fc.double({ min: 0.001, max: 100, noNaN: true }),
  outputPerMillion: fc.double({ min: 0.001, max: 300, noNaN: true }),
});

test('no step within its bounds costs more than its worst case', () => {
  const check = fc.property(fc.nat(300_000), fc.nat(4096), anyPrice, (bytes, outputTokens, one) => {
    const usage = { inputTokens: Math.floor(bytes / 3), outputTokens };
    expect(priceStep(one, usage).credits).toBeLessThanOrEqual(worstCase(one, bytes));
  });
  fc.assert(check);
});

test('a day that is used up says how long it lasts, in whole seconds of at most a day', () => {
  const moments = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const check = fc.property(moments, fc.integer({ min: 1, max: 1000 }), (nowMs, allowed) => {
    const { refusal, headers } = dayUsedUp('insightsPerDay', allowed, allowed, nowMs);
    const seconds = Number(headers['retry-after']);
    expect(refusal.code).toBe('RATE_LIMITED');
    expect(refusal.details).toMatchObject({ reason: 'DAILY_LIMIT', limit: 'insightsPerDay' });
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400).toBe(true);
    expect(nowMs + seconds * 1000).toBeGreaterThanOrEqual(nextUtcMidnight(nowMs));
    expect(nowMs + seconds * 1000).toBeLessThan(nextUtcMidnight(nowMs) + 1000);
    expect(new Date(nextUtcMidnight(nowMs)).toISOString()).toMatch(/T00:00:00\.000Z$/);
  });
  fc.assert(check);
});

test('waiting is advised only where it helps', () => {
  expect(dayUsedUp('insightsPerDay', 0, 0, 0).headers).toEqual({});
  expect(dayUsedUp('insightsPerDay', 0, 0, 0).refusal.code).toBe('FORBIDDEN');
  expect(outOfCredits(10, 10).headers).toEqual({});
  const fast = tooFast('insights', 1200);
  expect(fast).toBeInstanceOf(Refused);
  expect(fast.headers).toEqual({ 'retry-after': '2' });
  expect(fast.refusal.details).toEqual({
    reason: 'BURST_LIMIT',
    limit: 'insights',
    retryAfterMs: 2000,
  });
});

test('under a cap, what nobody told counts as the most it can have been', () => {
  const knownUsage = { usage: { inputTokens: 10_000, outputTokens: 0 }, worst: 9 };
  const unknownUsage = { usage: { inputTokens: null, outputTokens: 5 }, worst: 7 };
  expect(costOfCalls(price, [knownUsage, unknownUsage], true)).toEqual({
    inputTokens: null,
    outputTokens: 5,
    priced: false,
    credits: 0.15 + 7,
  });
  expect(costOfCalls(price, [knownUsage, unknownUsage], false).credits).toBe(0.15);
  const own = costOfCalls(undefined, [{ ...unknownUsage, worst: 0 }], true);
  expect(own).toMatchObject({ credits: 0, priced: false });
});

test('no price makes a sum that is no number', () => {
  const absurd = { inputPerMillion: 1e308, outputPerMillion: 1e308 };
  const { credits } = priceStep(absurd, { inputTokens: 1e9, outputTokens: 1e9 });
  expect(Number.isFinite(credits)).toBe(true);
});
