import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('no more than so many run at once, in order, and a failing one gives its turn on', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const task = (number: number) => async () => {
    begun.push(number);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number % 3 === 0) throw new Error(`task ${number}`);
    return number;
  };
  const ends = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5, 6].map((number) => turns.run(task(number))),
  );
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(await turns.run(async () => 'again')).toBe('again');
});
