import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { expect, test } from 'vitest';
import { longestWord, partsToCount } from './count-o200k-tokens.ts';
import { loadTokenCounter } from './load-token-counter.ts';

const count = await loadTokenCounter();
const independent = new Tiktoken(o200kBase);
const countedElsewhere = (text: string) => independent.encode(text, [], []).length;

test('two implementations of the tokenizer count the same, control tokens being text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.json(),
    fc.constantFrom(
      'search_books ',
      'Finds bööks.\r\n\n',
      '<|endoftext|>',
      '漢字かな',
      '👩‍👩‍👧',
      '  \t',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(count(text)).toBe(countedElsewhere(text));
    }),
  );
});

test.each(['word', ' ', '\n', '=', '漢', '😀', '/\n', '/\r\n'])(
  'a long run of %j is counted in parts, each of which may add two tokens',
  (unit) => {
    const text = `before ${unit.repeat(5 * longestWord)} after`;
    const parts = ([...text].length / longestWord) * 2;
    expect(count(text)).toBeGreaterThanOrEqual(countedElsewhere(text));
    expect(count(text)).toBeLessThanOrEqual(countedElsewhere(text) + parts);
    // If long words were not cut into parts, this count would take minutes and the test would time
    // out.
    expect(count(unit.repeat(30_000))).toBeGreaterThan(0);
  },
);

test('no part has a word of the tokenizer that is longer than two cuts, whatever is repeated', () => {
  const words = new RegExp(o200kBase.pat_str, 'gu');
  // One character of each kind that the tokenizer's pattern distinguishes.
  const kinds = [..."aAǅʰ漢\u03011=/'s \t\r\n😀", '\ud800'];
  const tooLong: string[] = [];
  for (const one of kinds) {
    for (const two of ['', ...kinds]) {
      for (const three of two === '' ? [''] : ['', ...kinds]) {
        const unit = one + two + three;
        const text = unit.repeat(900 / unit.length);
        const parts = [...partsToCount(text)];
        expect(parts.join('')).toBe(text);
        const lengths = parts.flatMap((part) =>
          (part.match(words) ?? []).map((word) => [...word].length),
        );
        if (Math.max(...lengths) > 2 * longestWord) tooLong.push(JSON.stringify(unit));
      }
    }
  }
  expect(tooLong).toEqual([]);
});
