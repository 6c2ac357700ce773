export interface RedrawnLines {
  readonly draw: (lines: readonly string[]) => void;
  /** Writes permanent text above the redrawn lines. */
  readonly above: (text: string) => void;
}

/**
 * Draws lines that are later erased and redrawn. A line wider than the terminal occupies several
 * rows, so rows are counted instead of lines.
 */
export function redrawnOn(
  write: (text: string) => void,
  columns: () => number | undefined = () => undefined,
): RedrawnLines {
  let drawn: readonly string[] = [];
  const rowsOf = (line: string) => {
    const shown = [...line.replaceAll(colour, '')].length;
    return Math.max(1, Math.ceil(shown / (columns() ?? Number.POSITIVE_INFINITY)));
  };
  const erase = () => {
    const rows = drawn.reduce((all, line) => all + rowsOf(line), 0);
    // `\r` returns to the left edge, because the terminal prints "^C" at the cursor after Ctrl+C.
    return rows === 0 ? '' : `\r\u001b[${rows}A\u001b[0J`;
  };
  const show = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return {
    draw(lines) {
      // Unchanged lines are not redrawn, to avoid flicker.
      if (lines.join('\n') === drawn.join('\n')) return;
      write(erase() + show(lines));
      drawn = lines;
    },
    above(text) {
      write(`${erase()}${text}${show(drawn)}`);
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const colour = /\u001b\[\d*m/g;
