/**
 * Reads the rows of a CSV file by RFC 4180: the first line names the columns; values with commas,
 * quotes or line ends are quoted, with quotes inside doubled. Every value is a text. Problems name
 * their line.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { DataFileProblem } from './data-file-problem.ts';

type TextRow = Record<string, string>;

export function readCsv(text: string): TextRow[] {
  const [header, ...records] = readRecords(text);
  if (header === undefined)
    throw new DataFileProblem('The file is empty; its first line must name the columns.');
  const names = header.values.map((name) => name.trim());
  refuseNames(names, header.line);
  return records.map(({ values, line }) => {
    if (values.length !== names.length) {
      const message = `The line has ${values.length} values, but the first line names ${names.length} columns; put values with commas in quotes.`;
      throw new DataFileProblem(message, line);
    }
    return Object.fromEntries(names.map((name, at) => [name, values[at] as string]));
  });
}

function refuseNames(names: readonly string[], line: number): void {
  for (const [at, name] of names.entries()) {
    if (name === '') throw new DataFileProblem(`Column ${at + 1} has no name.`, line);
    if (names.indexOf(name) < at) {
      throw new DataFileProblem(`Two columns are called ${JSON.stringify(name)}.`, line);
    }
  }
}

interface CsvRecord {
  readonly line: number;
  readonly values: string[];
}

function readRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let lastLine = 0;
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      // The parser counts the line on which a record ends.
      on_record(values: string[], { lines }) {
        records.push({ line: lines - lineEnds(values.join('')), values });
        lastLine = lines;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // An open quote is found at the end of the file; it stands after the last whole record.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? lastLine + 1 : Number(error['lines']);
    throw new DataFileProblem(problems[error.code] ?? error.message, line);
  }
  return records;
}

const problems: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE:
    'A value contains a quote; put the whole value in quotes, and double the quotes inside it.',
  CSV_INVALID_CLOSING_QUOTE:
    'Text follows the closing quote of a value; double the quotes inside the value.',
  CSV_QUOTE_NOT_CLOSED: 'A value begins with a quote that is never closed.',
};

function lineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
