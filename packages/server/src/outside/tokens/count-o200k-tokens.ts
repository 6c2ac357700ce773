/**
 * Counts o200k_base tokens. Text that looks like a control token of a model (`<|endoftext|>`) is
 * counted as the text it is.
 *
 * The tokenizer's time for one word is quadratic in its length, so that a hostile text would block
 * the process. A run of 200 or more letters, of signs or of white space is therefore counted in
 * parts, and each cut adds a token or two.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export const longestWord = 200;
const asText = { disallowedSpecial: new Set<string>() };

export function countO200kTokens(text: string): number {
  let tokens = 0;
  let from = 0;
  for (const { index, 0: word } of text.matchAll(longWord)) {
    tokens += countTokens(text.slice(from, index), asText) + countTokens(word, asText);
    from = index + word.length;
  }
  return tokens + countTokens(text.slice(from), asText);
}

/** At most 200 characters of a run. The tokenizer's words do not mix these three kinds. */
const longWord = new RegExp(
  ['[\\p{L}\\p{M}]', '\\s', '[^\\s\\p{L}\\p{N}]']
    .map((kind) => `${kind}{${longestWord}}`)
    .join('|'),
  'gu',
);
