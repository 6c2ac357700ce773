/**
 * Finds the mentions of a parameter in a request, and the distance in words from a mention to a
 * value.
 */
import type { Finding } from './findings.ts';
import type { Leaf } from './leaf-parameters.ts';
import { synonymsOf } from './synonyms.ts';
import { type Word, wordsOf } from './words.ts';

export interface Mention {
  readonly word: Word;
  /** True for a mention by a word such as `from` or `to`. */
  readonly isDirection: boolean;
  /**
   * True if the parameter is mentioned by its name or by a word such as `from` or `to`. False if
   * only by a word of its description.
   */
  readonly isNamed: boolean;
  /**
   * True for a word that is also in the tool's name, and is therefore a weaker sign of this
   * parameter.
   */
  readonly isOfTool: boolean;
}

export function mentionsOf(
  leaf: Leaf,
  words: readonly Word[],
  toolStems: ReadonlySet<string>,
): Mention[] {
  const hints = new Set([...leaf.hintStems, ...leaf.nameStems.flatMap(synonymsOf)]);
  const isOfTool = ({ stem }: Word) =>
    [stem, ...synonymsOf(stem)].some((one) => toolStems.has(one));
  const mentions: Mention[] = [];
  for (const word of words) {
    if (mentions.length >= mostMentions) break;
    const isDirection = leaf.directions.includes(word.plain);
    const isNamed = isDirection || (!word.isCommon && leaf.nameStems.includes(word.stem));
    if (isNamed || (!word.isCommon && hints.has(word.stem))) {
      mentions.push({ word, isDirection, isNamed, isOfTool: isOfTool(word) });
    }
  }
  return mentions;
}

/**
 * Returns the distance from a value to the nearest mention, undefined if every mention is too far
 * away. A mention by a word of the description counts as one word farther.
 */
export function distanceBetween(
  mentions: readonly Mention[],
  finding: Finding,
  request: string,
): number | undefined {
  let nearest: number | undefined;
  for (const { word, isDirection, isNamed } of mentions) {
    const gap = gapBetween(word, finding, isDirection, request);
    if (gap === undefined) continue;
    const distance = gap + (isNamed ? 0 : 1);
    if (nearest === undefined || distance < nearest) nearest = distance;
  }
  return nearest;
}

const mostMentions = 20;
const farthestAfter = 2;
const farthestBefore = 1;
const longestGap = 60;

/**
 * Returns the distance in words, undefined if it is too large. A value before the mention counts as
 * slightly farther than one after it. For `from` and `to` only a value after the mention counts.
 */
function gapBetween(
  word: Word,
  finding: Finding,
  isDirection: boolean,
  request: string,
): number | undefined {
  const isBehind = word.end <= finding.start;
  const [from, to] = isBehind ? [word.end, finding.start] : [finding.end, word.start];
  if (to < from || to - from > longestGap) return undefined;
  const between = wordsOf(request.slice(from, to), farthestAfter + 1).length;
  if (isBehind) return between <= farthestAfter ? between : undefined;
  return between <= farthestBefore && !isDirection ? between + 0.25 : undefined;
}
