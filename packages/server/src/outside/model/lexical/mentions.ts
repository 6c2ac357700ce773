/** Where a request mentions a parameter, and how many words a value is away from that. */
import type { Finding } from './findings.ts';
import type { Leaf } from './leaf-parameters.ts';
import { synonymsOf } from './synonyms.ts';
import { type Word, wordsOf } from './words.ts';

export interface Mention {
  readonly word: Word;
  /** By `from` or `to`. */
  readonly isDirection: boolean;
  /** By its name or a direction, not by a word of its description. */
  readonly isNamed: boolean;
  /** By a word that names the tool too, and so says less. */
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

/** From the nearest mention; a word of the description counts as one word farther. Too far is no distance at all. */
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

/** A value before its name counts a little farther than one behind it; before `from` and `to` it does not count. */
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
