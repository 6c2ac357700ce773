/**
 * Compares two texts line by line. Above 1,000 changes, everything between the common start and end
 * counts as replaced. Unchanged lines far from a change are replaced by one entry with their
 * number.
 */
import { diffArrays } from 'diff';

export interface ChangedLine {
  readonly kind: 'same' | 'out' | 'in' | 'skipped';
  readonly text: string;
}

const mostChanges = 1000;
const linesAround = 2;

export function lineChanges(before: string, after: string): ChangedLine[] {
  const [out, put] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(out, put, { maxEditLength: mostChanges });
  if (parts === undefined) return shortened(replacedMiddle(out, put));
  return shortened(
    parts.flatMap(({ value, added, removed }) =>
      linesOf(removed ? 'out' : added ? 'in' : 'same', value),
    ),
  );
}

function replacedMiddle(out: readonly string[], put: readonly string[]): ChangedLine[] {
  const most = Math.min(out.length, put.length);
  let start = 0;
  while (start < most && out[start] === put[start]) start++;
  let end = 0;
  while (end < most - start && out.at(-1 - end) === put.at(-1 - end)) end++;
  return [
    ...linesOf('same', out.slice(0, start)),
    ...linesOf('out', out.slice(start, out.length - end)),
    ...linesOf('in', put.slice(start, put.length - end)),
    ...linesOf('same', out.slice(out.length - end)),
  ];
}

function shortened(lines: readonly ChangedLine[]): ChangedLine[] {
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - linesAround), index + linesAround + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const shown: ChangedLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (isNear[index]) {
      shown.push(lines[index] as ChangedLine);
      continue;
    }
    const next = isNear.indexOf(true, index);
    const count = (next === -1 ? lines.length : next) - index;
    shown.push({ kind: 'skipped', text: count === 1 ? '1 line' : `${count} lines` });
    index += count - 1;
  }
  return shown;
}

function linesOf(kind: ChangedLine['kind'], texts: readonly string[]): ChangedLine[] {
  return texts.map((text) => ({ kind, text }));
}
