/**
 * Finds an unmarked value right after the name of its parameter: `owner acme`, `the branch is
 * develop`. Works only for one-word values: a message or a query would be cut after its first word.
 */
import type { Leaf } from './leaf-parameters.ts';
import { proseStems } from './word-lists.ts';
import type { Word } from './words.ts';

export interface UnquotedValue {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export function bareValueOf(
  leaf: Leaf,
  words: readonly Word[],
  request: string,
): UnquotedValue | undefined {
  const { parameter } = leaf;
  const name = leaf.nameStems.filter((stem) => !namingStems.has(stem));
  const isOneWord = parameter.type === 'string' && parameter.choices.length === 0;
  if (!isOneWord || name.length === 0 || name.some((stem) => proseStems.has(stem)))
    return undefined;
  for (const [at, word] of words.entries()) {
    const last = words[at + name.length - 1];
    if (word.isCommon || !name.every((stem, index) => words[at + index]?.stem === stem)) continue;
    const behind = valuePattern.exec(request.slice(last?.end ?? word.end, word.end + longest));
    const [all, joint = '', value = ''] = behind ?? [];
    if (
      all === undefined ||
      (words.find(({ start }) => start === startOf(last, joint))?.isCommon ?? true)
    )
      continue;
    const start = startOf(last, joint);
    return { value, start, end: start + value.length };
  }
  return undefined;
}

function startOf(word: Word | undefined, joint: string): number {
  return (word?.end ?? 0) + joint.length;
}

const longest = 200;
const valuePattern =
  /^(\s{1,2}(?:(?:is|called|named)\s{1,2})?)([\p{L}\p{N}][\p{L}\p{N}_-]{0,60})(?=\s{0,2}(?:[,.;:!?)]|$)|\s(?:and|have|has|in|on|with|to|from|of|for|at|as)\b)/u;
const namingStems = new Set(['nam', 'id', 'titl']);
