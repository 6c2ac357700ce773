/**
 * Two texts line by line: what was taken out, what was put in, what stayed. The result has the
 * fewest changed lines, except for very long texts, where finding them would take too long: there everything between the
 * common start and the common end counts as replaced. Unchanged lines far from any change are left out and counted.
 */
export interface ChangedLine {
  readonly kind: 'same' | 'out' | 'in' | 'skipped';
  readonly text: string;
}

const mostComparisons = 1_000_000;
const linesAround = 2;

export function lineChanges(before: string, after: string): ChangedLine[] {
  return shortened(compared(before.split('\n'), after.split('\n')));
}

function compared(before: readonly string[], after: readonly string[]): ChangedLine[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    ...linesOf('same', before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...linesOf('same', before.slice(before.length - end)),
  ];
}

function middle(before: readonly string[], after: readonly string[]): ChangedLine[] {
  if (before.length * after.length > mostComparisons) {
    return [...linesOf('out', before), ...linesOf('in', after)];
  }
  const at = commonFrom(before, after);
  const lines: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [out, put] = [before[i], after[j]];
    if (out !== undefined && out === put) {
      lines.push({ kind: 'same', text: out });
      [i, j] = [i + 1, j + 1];
    } else if (put === undefined || (out !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'out', text: out as string });
      i++;
    } else {
      lines.push({ kind: 'in', text: put });
      j++;
    }
  }
  return lines;
}

/** How many lines the rest of both, from two places on, have in common, in order. */
function commonFrom(before: readonly string[], after: readonly string[]) {
  const lengths = Array.from(
    { length: before.length + 1 },
    () => new Uint32Array(after.length + 1),
  );
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i] as Uint32Array;
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
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
