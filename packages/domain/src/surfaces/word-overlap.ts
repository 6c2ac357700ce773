/**
 * The similarity of two tools: the share of their words that both have. Names are split into words,
 * so that `searchBooks` and `search_books` count as equal.
 */
import { wordsOf } from '../assertions/word-f1.ts';
import type { Json } from '../kernel/json.ts';

/** The number of characters of a text that are compared; more would hardly change the result. */
const longestCompared = 4000;

/** Returns a number from 0 to 1; 0 if a set is empty. */
export function wordOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  let both = 0;
  for (const word of few) if (many.has(word)) both += 1;
  const all = one.size + other.size - both;
  return all === 0 ? 0 : both / all;
}

export function wordsOfText(text: unknown): Set<string> {
  return new Set(typeof text === 'string' ? wordsOf(text.slice(0, longestCompared)) : []);
}

export function wordsOfName(name: string): string[] {
  return wordsOf(name.slice(0, 200).replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 '));
}

export function wordsOfTool(tool: Json): Set<string> {
  return new Set([...wordsOfName(String(tool['name'])), ...wordsOfText(tool['description'])]);
}
