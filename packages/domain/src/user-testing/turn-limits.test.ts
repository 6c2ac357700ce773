import { expect, test } from 'vitest';
import { fullPlaces } from './turn-limits.ts';

const limits = { guestTurnsAtOnce: 4, scenarioTurnsAtOnce: 10 };
const limitOf = (...parameters: Parameters<typeof fullPlaces>) => fullPlaces(...parameters)?.limit;

test('a visitor has one place, strangers have theirs, and all of a scenario have theirs', () => {
  const none = { all: 0, anonymous: 0, ofVisitor: 0 };
  expect(fullPlaces(none, limits, true)).toBeUndefined();
  expect(fullPlaces({ all: 1, anonymous: 1, ofVisitor: 1 }, limits, true)).toEqual({
    limit: 'visitorTurnsAtOnce',
    allowedValue: 1,
    currentValue: 1,
  });
  const strangers = { all: 4, anonymous: 4, ofVisitor: 0 };
  expect(limitOf(strangers, limits, true)).toBe('guestTurnsAtOnce');
  expect(limitOf(strangers, limits, false)).toBeUndefined();
  expect(limitOf({ ...none, all: 10 }, limits, false)).toBe('scenarioTurnsAtOnce');
});

test('where the operator set no limit, a visitor still has one place', () => {
  const unlimited = { guestTurnsAtOnce: null, scenarioTurnsAtOnce: null };
  expect(limitOf({ all: 99, anonymous: 99, ofVisitor: 0 }, unlimited, true)).toBeUndefined();
  expect(limitOf({ all: 1, anonymous: 1, ofVisitor: 1 }, unlimited, true)).toBe(
    'visitorTurnsAtOnce',
  );
});
