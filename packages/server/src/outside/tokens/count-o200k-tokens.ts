/**
 * Counts o200k_base tokens. Text that looks like a control token of a model (`<|endoftext|>`) is
 * counted as the text it is.
 *
 * The tokenizer's time for one word is quadratic in its length, so that a hostile text would block
 * the process. A run of 200 or more letters, of signs, of white space, or of slashes and line ends is
 * therefore counted in parts, and each cut adds a token or two. A word of the tokenizer is of one such
 * run, or of signs and the slashes and line ends behind them; so none is longer than two cuts.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export const longestWord = 200;
const asText = { disallowedSpecial: new Set<string>() };

export function countO200kTokens(text: string): number {
  let tokens = 0;
  for (const part of partsToCount(text)) tokens += countTokens(part, asText);
  return tokens;
}

/** Returns the parts that are counted alone, which together are the text. */
export function* partsToCount(text: string): Generator<string, void, undefined> {
  let from = 0;
  for (const { index, 0: word } of text.matchAll(longWord)) {
    yield text.slice(from, index);
    yield word;
    from = index + word.length;
  }
  yield text.slice(from);
}

/** At most 200 characters of a run. */
const longWord = new RegExp(
  ['[\\p{L}\\p{M}]', '\\s', '[^\\s\\p{L}\\p{N}]', '[\\r\\n/]']
    .map((kind) => `${kind}{${longestWord}}`)
    .join('|'),
  'gu',
);
