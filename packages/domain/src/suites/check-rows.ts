/**
 * Whether every row of a case can be filled in. Told with its place and the key of the row. All rows are looked at, for
 * one that could not be played would stop a run that has begun; some at a time, for there may be thousands.
 */
import { keyOfRow } from './case-data.ts';
import { longestIdWithRows } from './data-rows.ts';
import {
  type CaseTemplate,
  type DataCase,
  type FillProblem,
  fillCase,
  templateOf,
  valueAt,
} from './fill-case.ts';

/** Of all rows filled in: a case that comes to more takes too long to check and to keep. */
export const maxFilledLength = 50_000_000;

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

const rowsAtOnce = 250;

function idProblem({ declaredId }: DataCase): FillProblem | undefined {
  if (declaredId === undefined || declaredId.length <= longestIdWithRows) return undefined;
  const message = `The id of a case with data has at most ${longestIdWithRows} characters, for those of its rows are longer.`;
  return { path: ['id'], message };
}

function lengthProblem({ definition: { data, ...base } }: CaseTemplate): FillProblem | undefined {
  const length = JSON.stringify(base).length * data.rows.length;
  if (length <= maxFilledLength) return undefined;
  const message = `Filled in, the rows come to about ${length.toLocaleString('en-US')} characters; at most ${maxFilledLength.toLocaleString('en-US')} are allowed. Give it fewer rows or shorter texts.`;
  return { path: ['data', 'rows'], message };
}
