/** Lines at a terminal that are drawn over again, and notices above them. */
export interface RedrawnLines {
  readonly draw: (lines: readonly string[]) => void;
  /** What is written stays, above the lines. */
  readonly above: (text: string) => void;
}

/** A line that is longer than the terminal is wide, as an address may be, takes more than one row of it. */
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
    // From the left edge: a terminal shows ^C where the cursor is.
    return rows === 0 ? '' : `\r\u001b[${rows}A\u001b[0J`;
  };
  const show = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return {
    draw(lines) {
      // A terminal that is read by somebody is not disturbed where nothing changed.
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
