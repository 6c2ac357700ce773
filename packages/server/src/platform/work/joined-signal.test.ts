import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { joinedSignal } from './joined-signal.ts';

test('it is aborted as soon as one is, with its reason, whether before or after', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const joined = joinedSignal([one.signal, other.signal]);
  expect(joined.signal.aborted).toBe(false);
  other.abort('enough');
  one.abort('too late');
  expect(joined.signal.reason).toBe('enough');
  expect(joinedSignal([new AbortController().signal, other.signal]).signal.reason).toBe('enough');
});

test('nothing of it is left in a signal that lives longer', () => {
  const process = new AbortController();
  const before = Reflect.ownKeys(process.signal).length;
  for (let time = 0; time < 100; time += 1) {
    const outer = joinedSignal([process.signal]);
    AbortSignal.any([outer.signal, new AbortController().signal]);
    joinedSignal([outer.signal, process.signal]).letGo();
    outer.letGo();
  }
  expect(getEventListeners(process.signal, 'abort')).toEqual([]);
  // AbortSignal.any stores its entries under symbol keys of the signal, which `ownKeys` lists.
  expect(Reflect.ownKeys(process.signal)).toHaveLength(before);
});
