/**
 * Checks that every row of a case can be filled in; a problem has its path and the key of the row.
 * All rows are checked before a run, because an invalid row would stop the run in the middle. The
 * check works in portions, since there may be thousands of rows.
 */
import type { Assertion } from '../assertions/assertion.ts';
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

/**
 * The largest length of all filled-in rows in one case, and in all cases of a request, in
 * characters. More would take too long to check and to store.
 */
export const maxFilledLength = 50_000_000;

/** Checked before any row is filled in. */
export function requestRowsProblem(cases: readonly DataCase[]): string | undefined {
  const rows = sumOf(cases, ({ data }) => data.rows.length);
  if (rows > maxRowsOfRequest) {
    return `The cases of one request have at most ${grouped(maxRowsOfRequest)} rows together, and these have ${grouped(rows)}. Send them in several requests.`;
  }
  const length = sumOf(cases, filledLengthOf);
  if (cases.length < 2 || length <= maxFilledLength) return undefined;
  return `With all rows filled in, the cases of this request have about ${grouped(length)} characters; at most ${grouped(maxFilledLength)} are allowed. Send them in several requests.`;
}

/**
 * Yields after each portion of rows. `whyNotRun` returns why an assertion cannot run, such as an
 * invalid pattern or schema.
 */
export function* checkRows(
  definition: DataCase,
  whyNotRun: (assertion: Assertion) => string | undefined,
): Generator<undefined, FillProblem | undefined> {
  const read = templateOf(definition);
  if ('problem' in read) return read.problem;
  const { template } = read;
  const about = idProblem(definition) ?? lengthProblem(template);
  if (about !== undefined) return about;
  const runs = runPlaces(template);
  const { key, rows } = definition.data;
  const rowLength = filledLengthOf(definition) / rows.length;
  const rowsAtOnce = Math.max(1, Math.min(mostRowsAtOnce, Math.floor(lengthAtOnce / rowLength)));
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) yield;
    const filled = fillCase(template, row);
    if ('problem' in filled) return filled.problem;
    for (const path of runs) {
      const problem = whyNotRun(valueAt(filled.definition, path.slice(0, -1)) as Assertion);
      if (problem === undefined) continue;
      return { path, message: `In the row ${JSON.stringify(keyOfRow(row, key))}: ${problem}` };
    }
  }
  return undefined;
}

/**
 * Returns the paths of patterns and schemas with templates, which can be checked only with the
 * values of a row.
 */
function runPlaces({ places }: CaseTemplate): FillProblem['path'][] {
  const paths = places.flatMap(({ path }) => {
    const [first, second, third, field] = path;
    const isOfStep = first === 'steps' && third === 'assertion';
    const isOfAssertion = isOfStep || (first === 'checks' && second === 'list');
    return isOfAssertion && (field === 'pattern' || field === 'schema') ? [path.slice(0, 4)] : [];
  });
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
}

/**
 * The size of a portion, in characters and in rows, so that each portion takes a few milliseconds.
 */
const lengthAtOnce = 100_000;
const mostRowsAtOnce = 250;

function idProblem({ declaredId }: DataCase): FillProblem | undefined {
  if (declaredId === undefined || declaredId.length <= longestIdWithRows) return undefined;
  const message = `The id of a case with data has at most ${longestIdWithRows} characters, because the ids of its rows are longer.`;
  return { path: ['id'], message };
}

function lengthProblem({ definition }: CaseTemplate): FillProblem | undefined {
  const length = filledLengthOf(definition);
  if (length <= maxFilledLength) return undefined;
  const message = `With all rows filled in, the case has about ${grouped(length)} characters; at most ${grouped(maxFilledLength)} are allowed. Give it fewer rows or shorter texts.`;
  return { path: ['data', 'rows'], message };
}

function filledLengthOf({ data, ...base }: DataCase): number {
  return JSON.stringify(base).length * data.rows.length;
}

function sumOf(cases: readonly DataCase[], measure: (one: DataCase) => number): number {
  return cases.reduce((sum, one) => sum + measure(one), 0);
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
