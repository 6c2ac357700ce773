import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLoop } from './watch-loop.ts';

/** The clock is fake, because real pauses of the event loop are unpredictable. */
let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function wait(ms: number): void {
  for (let passed = 0; passed < ms; passed += 10) {
    now += 10;
    vi.advanceTimersByTime(10);
  }
}

function standStill(ms: number): void {
  now += ms;
}

test('time in which the process did nothing else is told, to all that waited then', () => {
  const first = watchLoop();
  wait(30);
  standStill(150);
  const second = watchLoop();
  wait(30);
  standStill(100);
  expect([first(), second()]).toEqual([230, 90]);
  expect(vi.getTimerCount()).toBe(0);
});

test('neither waiting nor a timer that is a little late is standing still', () => {
  const end = watchLoop();
  wait(300);
  standStill(20);
  wait(300);
  expect(end()).toBe(0);
});

test('what was before it began, or between two, is not told', () => {
  watchLoop()();
  standStill(500);
  const end = watchLoop();
  wait(50);
  expect(end()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
