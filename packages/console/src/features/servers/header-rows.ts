/** Empty rows are ignored. */
import type { FieldProblems } from '../../kit/data/field-problems.ts';

export interface HeaderRow {
  /** Identifies the row while others are added and removed. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export function headersOf(rows: readonly HeaderRow[]): {
  headers: Record<string, string>;
  problems: FieldProblems;
} {
  const problems: Record<string, string> = {};
  const headers = new Map<string, string>();
  const seen = new Set<string>();
  for (const row of rows) {
    const name = row.name.trim();
    if (name === '' && row.value === '') continue;
    const problem = rowProblem(name, row.value, seen);
    if (problem !== undefined) problems[`headers.${name}`] = problem;
    seen.add(name.toLowerCase());
    headers.set(name, row.value);
  }
  return { headers: Object.fromEntries(headers), problems };
}

export function addRow(rows: readonly HeaderRow[], name = ''): HeaderRow[] {
  const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
  return [...rows, { key, name, value: '' }];
}

export function rowsFor(names: readonly string[]): HeaderRow[] {
  return names.reduce<HeaderRow[]>((rows, name) => addRow(rows, name), []);
}

function rowProblem(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  if (name === '') return 'Enter a name for this header.';
  if (seen.has(name.toLowerCase())) return 'This header is there twice. Remove one of the two.';
  if (value === '') return 'Enter a value, or remove this header.';
  return undefined;
}
