import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { expect, test } from 'vitest';
import { longestWord } from './count-o200k-tokens.ts';
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

test.each(['word', ' ', '\n', '=', '漢', '😀'])(
  'a long run of %j is counted in parts, each of which may add two tokens',
  (unit) => {
    const text = `before ${unit.repeat(5 * longestWord)} after`;
    const parts = ([...text].length / longestWord) * 2;
    expect(count(text)).toBeGreaterThanOrEqual(countedElsewhere(text));
    expect(count(text)).toBeLessThanOrEqual(countedElsewhere(text) + parts);
    // As one word this would take minutes, and the test would time out.
    expect(count(unit.repeat(30_000))).toBeGreaterThan(0);
  },
);
