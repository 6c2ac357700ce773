/**
 * Returns the words after a preposition that introduces the topic, as in `about bees` or, for
 * places, `in rome`.
 */
import type { Leaf } from './leaf-parameters.ts';
import { placeStems } from './word-lists.ts';
import type { Word } from './words.ts';

export function wordsAfterPreposition(
  { nameStems }: Leaf,
  words: readonly Word[],
  request: string,
): Word[] {
  const isPlace = nameStems.some((stem) => placeStems.has(stem));
  const leading = isPlace ? placePrepositions : prepositions;
  const at = words.findIndex(({ plain }) => leading.has(plain));
  const [first] = words.slice(at + 1);
  if (at < 0 || first === undefined) return [];
  const sentence = /[.!?,;\n]/.exec(request.slice(first.start))?.index ?? request.length;
  return words.filter(({ start }) => start >= first.start && start < first.start + sentence);
}

const prepositions = new Set(['about', 'regarding', 'concerning']);
const placePrepositions = new Set(['in', 'for', 'near', 'around', 'at']);
