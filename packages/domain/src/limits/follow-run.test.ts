import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { followBounds, isWorthTelling, pollDelayMs } from './follow-run.ts';

const running = { status: 'running', iterationCount: 3, revision: 7 };

describe('a run that is followed', () => {
  test('is asked for less and less often, never less than every five seconds', () => {
    const delays = Array.from({ length: 200 }, (_, asked) => pollDelayMs(asked));
    expect(delays[0]).toBe(1000);
    expect(delays.at(-1)).toBe(5000);
    expect(delays).toEqual([...delays].sort((one, other) => one - other));
  });

  test('is told at first, and at once when its status changes', () => {
    expect(isWorthTelling(running, undefined)).toBe(true);
    fc.assert(
      fc.property(fc.nat(300), fc.nat(10_000), (times, agoMs) => {
        const ended = { ...running, status: 'completed' };
        expect(isWorthTelling(ended, { mark: running, times: times + 1, agoMs })).toBe(true);
      }),
    );
  });

  test('is told again when it has come further and its pace allows', () => {
    const further = { ...running, revision: 8 };
    fc.assert(
      fc.property(fc.nat(300), fc.nat(followBounds.repeatAfterMs - 1), (before, agoMs) => {
        const reported = { mark: running, times: before + 1, agoMs };
        expect(isWorthTelling(further, reported)).toBe(agoMs >= pollDelayMs(before));
        expect(isWorthTelling(running, reported)).toBe(false);
      }),
    );
  });

  test('is told again where nothing has changed for long', () => {
    const reported = { mark: running, times: 9, agoMs: followBounds.repeatAfterMs };
    expect(isWorthTelling(running, reported)).toBe(true);
  });
});
