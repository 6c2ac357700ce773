import { NotChecked, SchemaWork } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { linearPattern } from './check-value.ts';

/** Returns a limit whose clock advances by a second whenever it is read. */
function standingStill(): SchemaWork {
  let nowMs = 0;
  return new SchemaWork(linearPattern, () => {
    nowMs += 1_000;
    return nowMs;
  });
}

test('a machine that stands still does not change what comes of a small check', () => {
  const work = standingStill();
  work.step(4_000);
  expect(work.matches('^[a-z]+$', 'rome')).toBe(true);
});

test('a large check is given up when its time is over', () => {
  expect(() => standingStill().step(128 * 100)).toThrow(NotChecked);
});
