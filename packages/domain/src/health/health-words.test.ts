import { expect, test } from 'vitest';
import { bytesText, durationText } from './health-words.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [300 * 1024 ** 2, '300 MiB'],
  [2.25 * 1024 ** 4, '2.3 TiB'],
  [4096 * 1024 ** 5, '4096 PiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test.each([
  [0.4, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7200, '2 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
