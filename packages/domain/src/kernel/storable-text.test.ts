import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStorable, storableText } from './storable-text.ts';

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['a\0b\0', 'a\uFFFDb\uFFFD'],
  ['half \ud800 and \udc00', 'half \uFFFD and \uFFFD'],
  ['whole 😀', 'whole 😀'],
  ['\u001b[31m\r\n\t', '\u001b[31m\r\n\t'],
])('%j is stored as %j', (text, stored) => {
  expect(storableText(text)).toBe(stored);
});

test('whatever the text, what is stored has its length, is well formed, holds no U+0000 and is stored as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(0xffff)), (text, units) => {
      const whole = text + String.fromCharCode(...units);
      const stored = storableText(whole);
      expect(stored).toHaveLength(whole.length);
      expect(stored.isWellFormed()).toBe(true);
      expect(stored).not.toContain('\0');
      expect(storableText(stored)).toBe(stored);
    }),
  );
});

test.each([
  ['plain', true],
  ['\0', false],
  ['\ud800', false],
  ['𝄞', true],
  ['\\u0000 in words', true],
  ['\\\0', false],
])('every text of a value: %j', (text, expected) => {
  expect(isStorable({ in: [text] })).toBe(expected);
  expect(isStorable({ [text]: 1 })).toBe(expected);
});
