/**
 * Whether every row of a case can be filled in. Told with its place and the key of the row. All rows are looked at, for
 * one that could not be played would stop a run that has begun; some at a time, for there may be thousands.
 */
import { keyOfRow, maxRowsOfRequest } from './case-data.ts';
import { longestIdWithRows } from './data-rows.ts';
import {
  type CaseTemplate,
  type DataCase,
  type FillProblem,
  fillCase,
  templateOf,
  valueAt,
} from './fill-case.ts';

/** Of all rows filled in, of a case as of all cases of a request: more takes too long to check and to keep. */
export const maxFilledLength = 50_000_000;

/** Whether there is more to fill in than one request may ask for, told before any of it is. */
export function requestRowsProblem(cases: readonly DataCase[]): string | undefined {
  const rows = sumOf(cases, ({ data }) => data.rows.length);
  if (rows > maxRowsOfRequest) {
    return `The cases of one request have at most ${told(maxRowsOfRequest)} rows together, and these have ${told(rows)}. Send them in several requests.`;
  }
  const length = sumOf(cases, filledLengthOf);
  if (cases.length < 2 || length <= maxFilledLength) return undefined;
  return `Filled in, the rows of this request come to about ${told(length)} characters; at most ${told(maxFilledLength)} are allowed. Send them in several requests.`;
}

/** Pauses now and then. `patternProblem` says what is wrong with a pattern, if anything. */
export function* checkRows(
  definition: DataCase,
  patternProblem: (pattern: string) => string | undefined,
): Generator<undefined, FillProblem | undefined> {
  const read = templateOf(definition);
  if ('problem' in read) return read.problem;
  const { template } = read;
  const about = idProblem(definition) ?? lengthProblem(template);
  if (about !== undefined) return about;
  const patterns = template.places.filter(({ path }) => path.at(-1) === 'pattern');
  const { key, rows } = definition.data;
  const rowLength = filledLengthOf(definition) / rows.length;
  const rowsAtOnce = Math.max(1, Math.min(mostRowsAtOnce, Math.floor(lengthAtOnce / rowLength)));
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) yield;
    const filled = fillCase(template, row);
    if ('problem' in filled) return filled.problem;
    for (const { path } of patterns) {
      const problem = patternProblem(String(valueAt(filled.definition, path)));
      if (problem === undefined) continue;
      const said = JSON.stringify(keyOfRow(row, key));
      return { path, message: `In the row ${said}: this pattern cannot be run: ${problem}.` };
    }
  }
  return undefined;
}

/** Others wait for no more than takes some milliseconds. */
const lengthAtOnce = 100_000;
const mostRowsAtOnce = 250;

function idProblem({ declaredId }: DataCase): FillProblem | undefined {
  if (declaredId === undefined || declaredId.length <= longestIdWithRows) return undefined;
  const message = `The id of a case with data has at most ${longestIdWithRows} characters, for those of its rows are longer.`;
  return { path: ['id'], message };
}

function lengthProblem({ definition }: CaseTemplate): FillProblem | undefined {
  const length = filledLengthOf(definition);
  if (length <= maxFilledLength) return undefined;
  const message = `Filled in, the rows come to about ${told(length)} characters; at most ${told(maxFilledLength)} are allowed. Give it fewer rows or shorter texts.`;
  return { path: ['data', 'rows'], message };
}

function filledLengthOf({ data, ...base }: DataCase): number {
  return JSON.stringify(base).length * data.rows.length;
}

function sumOf(cases: readonly DataCase[], measure: (one: DataCase) => number): number {
  return cases.reduce((sum, one) => sum + measure(one), 0);
}

function told(count: number): string {
  return count.toLocaleString('en-US');
}
