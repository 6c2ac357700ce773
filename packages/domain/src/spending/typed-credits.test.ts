import { expect, test } from 'vitest';
import { readTypedCredits } from './typed-credits.ts';

test.each<readonly [string, number | undefined]>([
  ['50', 50],
  ['2.5', 2.5],
  ['0.000001', 0.000001],
  ['999999999', 999_999_999],
  ...['', ' 5', '-1', '1e3', '.5', '5.', '1,5', '1000000000', '0.0000001', 'NaN'].map(
    (text) => [text, undefined] as const,
  ),
])('%j is %s', (text, credits) => {
  expect(readTypedCredits(text)).toBe(credits);
});
