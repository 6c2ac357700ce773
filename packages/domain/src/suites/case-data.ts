/**
 * The data rows of a case. Each row is played as a separate case, with its values in place of the
 * case's templates. The values of one column, the key, identify the rows, so that a row keeps its
 * identity when other rows are added or removed.
 */
import * as z from 'zod';

export const maxRows = 5_000;
/**
 * The largest number of rows in one request, over all its cases. All rows are filled in before
 * anything is stored.
 */
export const maxRowsOfRequest = 10_000;
/** The largest length of all rows of a case, in characters of JSON. */
export const maxRowsLength = 5_000_000;
/** The largest length of all rows of all cases of a suite, in characters of JSON. */
export const maxSuiteRowsLength = 20_000_000;
const maxColumns = 100;
const maxKeyLength = 200;
const mostProblems = 20;

export type DataRow = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a name must not hold.
const columnName = /^(?!\s)[^{}\u0000-\u001f\u007f]{1,100}(?<!\s)$/;
const badName =
  'A column name must have 1 to 100 characters, without braces, control characters, or blanks at its beginning or end.';
const ColumnName = z.string().regex(columnName, { error: badName });

export const DataRows = z
  .array(z.record(z.string(), z.unknown()))
  .min(1, 'A case with data needs at least one row.')
  .max(maxRows, `A case has at most ${maxRows.toLocaleString('en-US')} rows.`)
  .meta({
    description: `At most ${maxRows.toLocaleString('en-US')} rows and ${maxRowsLength.toLocaleString('en-US')} characters as JSON, and at most ${maxRowsOfRequest.toLocaleString('en-US')} rows in all cases of one request. Each row is an object of values by column name.`,
  });

const Sample = z
  .strictObject({
    rows: z.int().min(1).max(maxRows),
    seed: z.int().min(0).max(2_147_483_647),
  })
  .meta({
    id: 'EvalDataSample',
    description:
      'The number of rows that a run plays. The same seed always selects the same rows of the same data, regardless of their order.',
  });

const fields = {
  key: ColumnName.meta({
    description:
      'The column that identifies the rows. Its values are unique: texts of 1 to 200 characters, or numbers.',
  }),
  sample: Sample.optional(),
};

const fileIsForCommand =
  'Only the proofmark command reads data files; send the rows in rows, or import the suite file with the command.';

export const CaseData = z
  .strictObject({
    ...fields,
    rows: DataRows,
    file: z
      .never({ error: () => fileIsForCommand })
      .optional()
      .meta({ description: 'Only in suite files, which the proofmark command reads.' }),
  })
  .superRefine(({ key, rows }, context) => {
    for (const { path, message } of rowProblems(key, rows)) {
      context.addIssue({ code: 'custom', path: ['rows', ...path], message });
    }
  })
  .meta({
    id: 'EvalCaseData',
    description:
      'An addition of Proofmark beyond the specification: a run plays every row as a separate case. The value of the row replaces {{column}} in prompts, arguments, assertions and the expected output; an argument that is only {{column}} keeps the type of the value. Write \\{{ for a literal {{.',
  });
export type CaseData = Omit<z.infer<typeof CaseData>, 'file'>;

export const FileCaseData = z
  .strictObject({
    ...fields,
    rows: DataRows.optional(),
    file: z.string().min(1).max(500).optional(),
  })
  .superRefine(({ key, rows, file }, context) => {
    if ((rows === undefined) === (file === undefined)) {
      const message = 'Give either rows or file, not both.';
      context.addIssue({ code: 'custom', path: [], message });
    }
    for (const { path, message } of rowProblems(key, rows ?? [])) {
      context.addIssue({ code: 'custom', path: ['rows', ...path], message });
    }
  });

/**
 * The sampling of a case's rows. It is shown with every verdict of the run, since another seed
 * would have chosen other rows.
 */
export const RowSample = z
  .strictObject({
    title: z.string().meta({ description: 'The title of the case.' }),
    rows: z.int().min(1),
    of: z.int().min(1).meta({ description: 'The number of rows of the case.' }),
    seed: z.int(),
  })
  .meta({ id: 'EvalRowSample', description: 'A case of which only some rows were played.' });
export type RowSample = z.infer<typeof RowSample>;

export function keyOfRow(row: DataRow, key: string): string | undefined {
  const value = Object.hasOwn(row, key) ? row[key] : undefined;
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  return typeof text === 'string' && text.length >= 1 && text.length <= maxKeyLength
    ? text
    : undefined;
}

interface RowProblem {
  readonly path: (string | number)[];
  readonly message: string;
}

function whyNoKey(key: string, row: DataRow): string {
  const columns = Object.keys(row).slice(0, maxColumns).join(', ');
  return Object.hasOwn(row, key)
    ? `The row needs a ${JSON.stringify(key)} that is a text of 1 to ${maxKeyLength} characters or a number; it identifies the row.`
    : `The row has no ${JSON.stringify(key)}, which must identify it; it has ${columns === '' ? 'no columns' : columns}.`;
}

function rowProblems(key: string, rows: readonly DataRow[]): RowProblem[] {
  const problems: RowProblem[] = [];
  const seen = new Map<string, number>();
  const names = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (problems.length >= mostProblems) return problems;
    const columns = Object.keys(row);
    if (columns.length > maxColumns) {
      problems.push({ path: [index], message: `A row has at most ${maxColumns} columns.` });
    }
    for (const name of columns.filter((one) => !names.has(one)).slice(0, maxColumns)) {
      names.add(name);
      if (!columnName.test(name)) problems.push({ path: [index, name], message: badName });
    }
    const value = keyOfRow(row, key);
    if (value === undefined) {
      problems.push({ path: [index, key], message: whyNoKey(key, row) });
      continue;
    }
    const earlier = seen.get(value);
    if (earlier !== undefined) {
      const message = `Row ${index + 1} repeats the ${JSON.stringify(key)} ${JSON.stringify(value)} of row ${earlier + 1}; every row needs a different value.`;
      problems.push({ path: [index, key], message });
    }
    seen.set(value, index);
  }
  const { length } = JSON.stringify(rows);
  if (length > maxRowsLength) {
    const message = `The rows have ${length.toLocaleString('en-US')} characters as JSON; at most ${maxRowsLength.toLocaleString('en-US')} are allowed.`;
    problems.push({ path: [], message });
  }
  return problems;
}

export function columnsOf(rows: readonly DataRow[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
