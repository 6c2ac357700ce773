import { expect, test } from 'vitest';
import { secondsText } from '../kernel/seconds-text.ts';
import { type ProcessMemory, tooMuchMemory, tooMuchMemoryText } from './browser-memory.ts';
import { hadItsTime, lostToOthers, mostGivenAgainMs } from './time-of-step.ts';

const mb = 1024 * 1024;
const one = (pid: number, anonymousMb: number, more: Partial<ProcessMemory> = {}) => ({
  pid,
  isRenderer: false,
  anonymousBytes: anonymousMb * mb,
  sharedBytes: 0,
  fileBytes: 0,
  ...more,
});

test.each<[string, readonly ProcessMemory[], number | 'browser' | undefined]>([
  ['within the bound', [one(1, 100), one(2, 900, { isRenderer: true })], undefined],
  ['a page that grew', [one(1, 100), one(2, 1000, { isRenderer: true })], 2],
  ['the larger of two pages', [1, 2].map((n) => one(n, 400 * n, { isRenderer: true })), 2],
  ['a process that shows no page', [one(1, 900), one(2, 200, { isRenderer: true })], 'browser'],
  ['many that are small together', Array.from({ length: 20 }, (_, n) => one(n, 60)), 'browser'],
  ['memory that is shared', [one(1, 100, { sharedBytes: 950 * mb })], 'browser'],
  [
    'the program in every process',
    [1, 2, 3, 4, 5].map((n) => one(n, 100, { fileBytes: 250 * mb })),
    undefined,
  ],
  ['files beyond the program', [one(1, 100, { fileBytes: 2000 * mb })], 'browser'],
])('%s', (_, processes, ends) => {
  const passed = tooMuchMemory(processes, 1000 * mb);
  expect(passed && (passed.endRenderer ?? 'browser')).toBe(ends);
});

test('what is said of it is rounded', () => {
  expect(tooMuchMemoryText(8_750.123 * mb, 2048 * mb)).toBe(
    'The browser of the widget used 8.5 GiB of memory; at most 2.0 GiB are allowed.',
  );
  expect([5713.000000000002, 10_000, 40.4, 99.9].map(secondsText)).toEqual([
    ...['5.7 s', '10 s', '40 ms', '100 ms'],
  ]);
});

test.each([
  ['nothing lost', 10_000, 0, true],
  ['a tenth lost', 10_000, 1000, true],
  ['more lost', 10_000, 1100, false],
  ['all lost', 10_000, 10_000, false],
  ['failed at once, and lost nearly nothing', 500, 40, true],
  ['lost, and given again', 15_000, 5000, true],
])('a step of ten seconds, %s', (_, elapsedMs, lostMs, had) => {
  expect(hadItsTime({ elapsedMs, lostMs }, 10_000)).toBe(had);
});

test('time that a browser takes from itself is not lost to others', () => {
  expect(lostToOthers(1000, 900, 1000)).toBeCloseTo(100);
  expect(lostToOthers(1000, 50, 1000)).toBeCloseTo(950);
  expect(lostToOthers(1000, 2000, 1000)).toBe(0);
  expect(lostToOthers(1000, 0, 0)).toBe(1000);
});

test('a step is given again what it lost, in bounds', () => {
  expect([1000, 5000, 60_000].map(mostGivenAgainMs)).toEqual([3000, 15_000, 30_000]);
});
