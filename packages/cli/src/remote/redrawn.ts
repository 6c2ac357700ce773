/** Lines at a terminal that are drawn over again, and notices above them. */
export interface Redrawn {
  readonly draw: (lines: readonly string[]) => void;
  /** What is written stays, above the lines. */
  readonly above: (text: string) => void;
}

export function redrawnOn(write: (text: string) => void): Redrawn {
  let drawn: readonly string[] = [];
  const erase = () => (drawn.length === 0 ? '' : `\u001b[${drawn.length}A\u001b[0J`);
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
