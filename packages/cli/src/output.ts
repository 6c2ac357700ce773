/** What commands print: words for people on stdout, JSON for programs, progress on stderr. */
export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function printNotice(sentence: string): void {
  process.stderr.write(`proofmark: ${sentence}\n`);
}

/** A table with columns as wide as their widest cell; with a width, the last one is cut to what is left of it. */
export function printColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): void {
  const widths = header.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  for (const row of [header, ...rows]) {
    printLine(
      row
        .map((cell, at) =>
          at === header.length - 1
            ? cutTo(cell, width - before)
            : cell.padEnd(widths[at] as number),
        )
        .join('  ')
        .trimEnd(),
    );
  }
}

function cutTo(text: string, room: number): string {
  const signs = [...text];
  if (signs.length <= room) return text;
  return `${signs.slice(0, Math.max(1, room - 3)).join('')}...`;
}

/** Hours, minutes and seconds of this machine's clock, the same everywhere. */
export function clockTime(instant: Date): string {
  return instant.toLocaleTimeString('en-GB');
}

/** The day of an instant, in UTC. */
export function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
