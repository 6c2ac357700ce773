import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRateLimit, type RateLimit, takeToken } from './token-bucket.ts';

const limit: RateLimit = { perMinute: 60, burst: 10 };
const anyLimit = fc.record({
  perMinute: fc.integer({ min: 1, max: 6000 }),
  burst: fc.integer({ min: 1, max: 50 }),
});
const gapsMs = fc.array(fc.oneof(fc.constant(0), fc.nat(5000)), { minLength: 1, maxLength: 200 });

function replay(bucket: RateLimit, gaps: readonly number[]) {
  let nowMs = 1_000_000;
  let fullAtMs: number | undefined;
  return gaps.map((gapMs) => {
    nowMs += gapMs;
    const taken = takeToken(fullAtMs, nowMs, bucket);
    fullAtMs = taken.fullAtMs;
    return { nowMs, ...taken };
  });
}

describe('the bucket', () => {
  test('ten pass at once, the eleventh waits a second', () => {
    const taken = replay(limit, Array(11).fill(0));
    expect(taken.map((one) => one.allowed)).toEqual([...Array(10).fill(true), false]);
    expect(taken[10]?.retryAfterSeconds).toBe(1);
  });

  test('20 requests a second for 600 seconds: 609 pass', () => {
    const taken = replay(limit, [0, ...Array(11_999).fill(50)]);
    expect(taken.filter((one) => one.allowed)).toHaveLength(609);
  });

  test('no window of time lets more through than the bucket and its refill', () => {
    fc.assert(
      fc.property(anyLimit, gapsMs, (bucket, gaps) => {
        const passed = replay(bucket, gaps).filter((one) => one.allowed);
        for (const [from, first] of passed.entries()) {
          for (const [upTo, last] of passed.entries()) {
            if (upTo < from) continue;
            const refilled = ((last.nowMs - first.nowMs) * bucket.perMinute) / 60_000;
            expect(upTo - from + 1).toBeLessThanOrEqual(bucket.burst + refilled + 1e-6);
          }
        }
      }),
    );
  });

  test('waiting as told is always enough, and told in whole seconds from one', () => {
    fc.assert(
      fc.property(anyLimit, gapsMs, (bucket, gaps) => {
        for (const taken of replay(bucket, gaps)) {
          if (taken.allowed) continue;
          expect(Number.isInteger(taken.retryAfterSeconds) && taken.retryAfterSeconds >= 1).toBe(
            true,
          );
          const later = taken.nowMs + taken.retryAfterSeconds * 1000;
          expect(takeToken(taken.fullAtMs, later, bucket).allowed).toBe(true);
        }
      }),
    );
  });

  test('a clock that jumps back locks nobody out for longer than the bucket reaches', () => {
    const { fullAtMs } = takeToken(undefined, 10_000_000, limit);
    const afterJump = takeToken(fullAtMs, 10_000_000 - 3_600_000, limit);
    expect(afterJump.retryAfterSeconds).toBeLessThanOrEqual(10);
  });
});

test.each([
  ['60/10', limit],
  ['off', 'off'],
  ['0/10', undefined],
  ['60/0', undefined],
  ['60', undefined],
  ['-1/5', undefined],
  ['60/10/1', undefined],
  ['', undefined],
])('the setting %j means %o', (text, expected) => {
  expect(parseRateLimit(text)).toEqual(expected);
});
