/** Marks the part that differs: the text between the common beginning and the common end. */
import type { CallLine } from '@proofmark/report';

export function markedDifference(before: string, after: string): [CallLine, CallLine] {
  const [one, other] = [[...before], [...after]];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const pieces = (text: readonly string[]): CallLine =>
    [
      { text: text.slice(0, start).join(''), isDifferent: false },
      { text: text.slice(start, text.length - end).join(''), isDifferent: true },
      { text: text.slice(text.length - end).join(''), isDifferent: false },
    ].filter(({ text: part }) => part !== '');
  return [pieces(one), pieces(other)];
}
