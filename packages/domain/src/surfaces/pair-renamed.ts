/**
 * Pairs removed tools with added ones that are probably the same tool under a new name. Tools with
 * similar parameters and descriptions are paired one to one, the most similar first. Tools without
 * a description are not paired. Names and titles are ignored, since renaming a tool changes them.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';
import { toolParameters } from './tool-parameters.ts';
import { wordOverlap, wordsOfText } from './word-overlap.ts';

export const leastLikeness = 0.7;

export interface RenamedTool {
  readonly from: Json;
  readonly to: Json;
  /** The similarity, from 0.7 to 1 in steps of 0.01. */
  readonly likeness: number;
}

/**
 * The largest number of tools on each side, since each tool is compared with every tool of the
 * other side.
 */
const mostPaired = 200;

export function pairRenamed(gone: readonly Json[], come: readonly Json[]): RenamedTool[] {
  const was = gone.slice(0, mostPaired).map(readToolWords);
  const is = come.slice(0, mostPaired).map(readToolWords);
  const pairs = was.flatMap((from) =>
    is.flatMap((to) => {
      const likeness = likenessOf(from, to);
      if (likeness < leastLikeness) return [];
      return [{ from: from.tool, to: to.tool, likeness, key: keyOf(from.tool, to.tool) }];
    }),
  );
  pairs.sort((one, other) => other.likeness - one.likeness || (one.key < other.key ? -1 : 1));
  const taken = new Set<Json>();
  return pairs.flatMap(({ from, to, likeness }) => {
    if (taken.has(from) || taken.has(to)) return [];
    taken.add(from).add(to);
    return [{ from, to, likeness }];
  });
}

interface ToolWords {
  readonly tool: Json;
  readonly words: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
}

function readToolWords(tool: Json): ToolWords {
  return {
    tool,
    words: wordsOfText(tool['description']),
    parameters: new Set(toolParameters(tool).map(({ name }) => name)),
  };
}

function likenessOf(one: ToolWords, other: ToolWords): number {
  if (one.words.size === 0 || other.words.size === 0) return 0;
  const words = wordOverlap(one.words, other.words);
  const hasNone = one.parameters.size === 0 && other.parameters.size === 0;
  const likeness = hasNone ? words : (words + wordOverlap(one.parameters, other.parameters)) / 2;
  // Rounded down, so that the displayed similarity is never too high.
  return Math.floor(likeness * 100 + 1e-9) / 100;
}

/** Orders equally similar pairs in the same way if both sides are exchanged. */
function keyOf(from: Json, to: Json): string {
  return [canonicalJson(from), canonicalJson(to)].sort().join('\n');
}
