import { expect, test } from 'vitest';
import { amountText, usedText } from './spending-text.ts';

test.each([
  ['credits', 9.5, '9.5 credits'],
  ['trialsPerDay', 1, '1 trial'],
  ['openRuns', 2, '2 runs'],
  ['storedBytes', 1536, '1.5 KiB'],
] as const)('%s %s: %s', (name, amount, text) => {
  expect(amountText(name, amount)).toBe(text);
});

test('what is used is told with what it is counted over, and what is set aside', () => {
  const credits = { name: 'credits', used: 9, reserved: 1.5, allowed: 30 } as const;
  expect(usedText(credits)).toBe('9 credits today, and 1.5 credits set aside');
  const stored = { name: 'storedBytes', used: 0, reserved: 0, allowed: 100 } as const;
  expect(usedText(stored)).toMatch(/in all$/);
  expect(usedText({ ...stored, allowed: null })).toBe('not counted without a limit');
});
