/**
 * Finds the mentions of a parameter in a request, and the distance of a value from them in words.
 */
import type { Finding } from './findings.ts';
import type { Leaf } from './leaf-parameters.ts';
import { synonymsOf } from './synonyms.ts';
import { type Word, wordsOf } from './words.ts';

export interface Mention {
  readonly word: Word;
  /** True for a mention by `from` or `to`. */
  readonly isDirection: boolean;
  /** True for a mention by its name or a direction, not by a word of its description. */
  readonly isNamed: boolean;
  /** True for a word that is also in the tool's name, which says less. */
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
 * Returns the distance to the nearest mention; a word of the description adds one word. Undefined
 * if it is too far.
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
 * Returns the distance in words. A value before its name counts as slightly farther than one after
 * it; before `from` and `to` it does not count.
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
