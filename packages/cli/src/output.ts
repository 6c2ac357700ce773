/** The output of commands: text for people on stdout, JSON for programs, progress on stderr. */
import { terminalAbility } from './remote/terminal.ts';
import { wrapped } from './remote/wrap-line.ts';

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints a notice. Lines are wrapped only at a terminal, since programs read line by line. */
export function printNotice(sentence: string): void {
  for (const line of noticeLines(sentence, process.stderr)) process.stderr.write(`${line}\n`);
}

export function noticeLines(
  sentence: string,
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
): string[] {
  const text = `proofmark: ${sentence}`;
  const lines = text.split('\n');
  return isTTY ? lines.flatMap((line) => wrapped(line, terminalAbility({}, columns).width)) : lines;
}

/** Prints a long sentence in lines that fit the terminal. */
export function printSentence(sentence: string): void {
  for (const line of wrapped(sentence, terminalAbility().width)) printLine(line);
}

/** Prints a table with columns as wide as their widest cell. */
export function printColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  for (const line of columnLines(header, rows, terminalAbility().width)) printLine(line);
}

/**
 * Returns the lines of a table. If it is wider than the terminal, the last cell of each row is
 * placed below the others.
 */
export function columnLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const widths = header.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const inLine = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd();
  const table = [header, ...rows];
  const lines = table.map(inLine);
  if (header.length < 2 || lines.every((line) => line.length <= width)) return lines;
  return table.flatMap((row) => [inLine(row.slice(0, -1)), `  ${row.at(-1) ?? ''}`]);
}

/** Returns the local time in hours, minutes and seconds, in the same format everywhere. */
export function clockTime(instant: Date): string {
  return instant.toLocaleTimeString('en-GB');
}

/** Returns the date of an instant, in UTC. */
export function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
