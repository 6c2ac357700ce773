import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchLoop } from './watch-loop.ts';

function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('time in which the process did nothing else is told, to all that waited then', async () => {
  const first = watchLoop();
  await setTimeout(30);
  standStill(150);
  const second = watchLoop();
  await setTimeout(30);
  standStill(100);
  const [ofFirst, ofSecond] = [first(), second()];
  expect(ofFirst).toBeGreaterThanOrEqual(200);
  expect(ofSecond).toBeGreaterThanOrEqual(80);
  expect(ofFirst - ofSecond).toBeGreaterThanOrEqual(100);
});

test('waiting is not standing still', async () => {
  const startedAt = performance.now();
  const end = watchLoop();
  await setTimeout(300);
  expect(end()).toBeLessThan((performance.now() - startedAt) / 2);
});
