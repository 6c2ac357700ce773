import { expect, test } from 'vitest';
import { Deadline } from './deadline.ts';

const named = (name: string) => () => new Error(name);

test('of times within each other, the one that is over first passes at once', () => {
  const whole = new Deadline(60_000, named('whole'));
  const part = new Deadline(90_000, named('part'), whole.signal);
  const inner = new Deadline(70_000, named('inner'), part.signal);
  expect(Deadline.passTime(inner.signal)).toBe(true);
  expect([whole, part, inner].map(({ isOver }) => isOver)).toEqual([true, false, false]);
  expect(inner.signal.reason).toEqual(new Error('whole'));
});

test('a time that stands still does not pass', () => {
  const whole = new Deadline(60_000, named('whole'));
  const part = new Deadline(1000, named('part'), whole.signal);
  part.hold();
  expect(Deadline.passTime(part.signal)).toBe(true);
  expect([whole.isOver, part.isOver, part.signal.aborted]).toEqual([true, false, true]);
  const held = new Deadline(1000, named('held'));
  held.hold();
  expect([Deadline.passTime(held.signal), held.signal.aborted]).toEqual([false, false]);
  expect(Deadline.passTime(new AbortController().signal)).toBe(false);
  held.end();
});
