import { expect, test } from 'vitest';
import { createCrowdLimit } from './crowd-limit.ts';

test('so many run, so many wait, the rest is turned away, and all who waited are served', async () => {
  const limit = createCrowdLimit({ running: 2, waiting: 3 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return 'done';
  };
  const outcomes = await Promise.all(Array.from({ length: 9 }, () => limit(work)));
  expect(most).toBe(2);
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'crowded')).toHaveLength(4);
});

test('work that fails gives its place back', async () => {
  const limit = createCrowdLimit({ running: 1, waiting: 0 });
  await expect(limit(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limit(async () => 'next')).toBe('next');
});
