/**
 * Compares two texts line by line and returns the fewest lines removed and added. Texts with more changes than can be found in
 * time count as replaced. Unchanged lines far from a change are left out and counted.
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
  if (parts === undefined) return [...linesOf('out', out), ...linesOf('in', put)];
  return shortened(
    parts.flatMap(({ value, added, removed }) =>
      linesOf(removed ? 'out' : added ? 'in' : 'same', value),
    ),
  );
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
