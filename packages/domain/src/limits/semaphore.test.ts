import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Semaphore, TooManyWaiting } from './semaphore.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('no more slots are held than there are, each key is served in order, and nothing is left behind', async () => {
  const asked = fc.record({
    key: fc.constantFrom('a', 'b'),
    count: fc.integer({ min: 1, max: 3 }),
    kind: fc.constantFrom('works', 'fails', 'leaves'),
    turns: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 3, max: 5 }),
      fc.array(asked, { maxLength: 20 }),
      async (slots, all) => {
        const semaphore = new Semaphore(slots);
        const held = { a: 0, b: 0 };
        const entered: Record<'a' | 'b', number[]> = { a: [], b: [] };
        const ends = all.map(async ({ key, count, kind, turns }, number) => {
          const leaving = new AbortController();
          const work = async () => {
            entered[key].push(number);
            held[key] += count;
            expect(held[key]).toBeLessThanOrEqual(slots);
            expect(semaphore.held(key)).toBeGreaterThanOrEqual(held[key]);
            for (let left = turns; left > 0; left -= 1) await turn();
            held[key] -= count;
            if (kind === 'fails') throw new Error('failed');
          };
          const running = semaphore.run(key, work, { count, signal: leaving.signal });
          if (kind === 'leaves') leaving.abort(new Error('left'));
          return running.then(
            () => 'works',
            (error: Error) => (error.message === 'left' ? 'left' : error.message),
          );
        });
        const outcomes = await Promise.all(ends);
        for (const key of ['a', 'b'] as const) {
          expect(entered[key]).toEqual([...entered[key]].sort((one, other) => one - other));
          expect([semaphore.held(key), semaphore.waiting(key)]).toEqual([0, 0]);
        }
        all.forEach(({ key, kind }, number) => {
          const hasEntered = entered[key].includes(number);
          if (kind !== 'leaves') expect(hasEntered).toBe(true);
          expect(outcomes[number]).toBe(
            kind === 'fails' ? 'failed' : hasEntered ? 'works' : 'left',
          );
        });
      },
    ),
    { numRuns: 100 },
  );
});

test('so many wait, and the rest is refused', async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 9 }, (_, number) =>
      semaphore.run('key', async () => begun.push(number) && turn(), { mostWaiting: 3 }),
    ),
  );
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(4);
  for (const reason of refused) expect(reason).toBeInstanceOf(TooManyWaiting);
});

describe('waiting', () => {
  test('ends with its signal, and those behind who need less are let in', async () => {
    const semaphore = new Semaphore(3);
    const release = await semaphore.acquire('key', { count: 2 });
    const leaving = new AbortController();
    const waited: string[] = [];
    const large = semaphore.acquire('key', {
      count: 3,
      signal: leaving.signal,
      onWait: () => waited.push('large'),
    });
    const small = semaphore.acquire('key', { onWait: () => waited.push('small') });
    expect([waited, semaphore.waiting('key')]).toEqual([['large', 'small'], 2]);
    leaving.abort(new Error('left'));
    await expect(large).rejects.toThrow('left');
    (await small)();
    release();
    release();
    expect(semaphore.held('key')).toBe(0);
    await expect(semaphore.acquire('key', { signal: leaving.signal })).rejects.toThrow('left');
  });

  test('ends when the slots of a key have grown; atMost holds beside them', async () => {
    let slots = 1;
    const semaphore = new Semaphore(() => slots);
    await semaphore.acquire('key');
    const second = semaphore.acquire('key');
    const third = semaphore.acquire('key', { atMost: 2 });
    slots = 9;
    semaphore.wake('key');
    const release = await second;
    expect([semaphore.held('key'), semaphore.waiting('key')]).toEqual([2, 1]);
    release();
    await third;
  });
});
