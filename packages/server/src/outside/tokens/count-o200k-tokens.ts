/**
 * Counts o200k_base tokens. Text that looks like a control token of a model (`<|endoftext|>`) is
 * counted as plain text.
 *
 * The tokenizer's time for one word is quadratic in its length, so a hostile text could block the
 * process. Every run of 200 or more letters, signs, white space, or slashes and line ends is
 * therefore cut into parts, which are counted separately. Each cut adds a token or two.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export const longestWord = 200;
const asText = { disallowedSpecial: new Set<string>() };

export function countO200kTokens(text: string): number {
  let tokens = 0;
  for (const part of partsToCount(text)) tokens += countTokens(part, asText);
  return tokens;
}

export function* partsToCount(text: string): Generator<string, void, undefined> {
  let from = 0;
  for (const { index, 0: word } of text.matchAll(longWord)) {
    yield text.slice(from, index);
    yield word;
    from = index + word.length;
  }
  yield text.slice(from);
}

/** Matches 200 characters of one kind in a row. */
const longWord = new RegExp(
  ['[\\p{L}\\p{M}]', '\\s', '[^\\s\\p{L}\\p{N}]', '[\\r\\n/]']
    .map((kind) => `${kind}{${longestWord}}`)
    .join('|'),
  'gu',
);
