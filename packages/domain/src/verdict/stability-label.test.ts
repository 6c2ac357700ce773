import { expect, it } from 'vitest';
import { stabilityLabel } from './stability-label.ts';

it.each([
  [0, 0, 'unmeasured'],
  [1, 1, 'single trial'],
  [1, 0, 'single trial'],
  [2, 2, 'stable pass'],
  [5, 5, 'stable pass'],
  [2, 0, 'stable fail'],
  [2, 1, 'mixed'],
  [5, 4, 'mixed'],
])('%i eligible trials of which %i passed are called %s', (eligibleTrials, passedTrials, label) => {
  expect(stabilityLabel({ eligibleTrials, passedTrials })).toBe(label);
});
