import { terminalAbility } from './remote/terminal.ts';
import { wrapped } from './remote/wrap-line.ts';

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints one document: that of the only suite itself, or one with a list of all `suites`. */
export function printJsonOfSuites(suites: readonly object[]): void {
  printJson(suites.length === 1 ? suites[0] : { suites });
}

/** Wraps lines only at a terminal, because programs read whole lines. */
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

export function printSentence(sentence: string): void {
  for (const line of wrapped(sentence, terminalAbility().width)) printLine(line);
}

export function printColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  for (const line of columnLines(header, rows, terminalAbility().width)) printLine(line);
}

/** If a line would be wider than the terminal, the last cell of each row gets its own line. */
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

/** Uses one format in every locale. */
export function clockTime(instant: Date): string {
  return instant.toLocaleTimeString('en-GB');
}

export function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** In UTC, like `day`. */
export function minute(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
