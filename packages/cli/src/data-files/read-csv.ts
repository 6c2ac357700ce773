/**
 * Reads a CSV file as defined by RFC 4180. The first line names the columns. Every value is text.
 * Errors contain the line.
 */
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

/** A quoted or plain value, followed by its delimiter. */
const quoted = /"([^"]*(?:""[^"]*)*)"(,|\r\n|\n|\r|$)/y;
const plain = /([^",\r\n]*)(,|\r\n|\n|\r|$)/y;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the text; place, line and row move on together with each value.
function readRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let values: string[] = [];
  let line = 1;
  let begun = 1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length || values.length > 0) {
    const isQuoted = text[at] === '"';
    const form = isQuoted ? quoted : plain;
    form.lastIndex = at;
    const match = form.exec(text);
    if (match === null)
      throw new DataFileProblem(isQuoted ? whyNotQuoted(text, at) : quoteInside, line);
    const [whole, value = '', end = ''] = match;
    values.push(isQuoted ? value.replaceAll('""', '"') : value);
    at += whole.length;
    line += lineEnds(whole);
    if (end === ',') continue;
    // An empty line does not count as a row.
    if (values.length > 1 || isQuoted || value !== '') records.push({ line: begun, values });
    values = [];
    begun = line;
  }
  return records;
}

const quoteInside =
  'A value contains a quote; put the whole value in quotes, and double the quotes inside it.';

function whyNotQuoted(text: string, at: number): string {
  const closed = /"[^"]*(?:""[^"]*)*"/y;
  closed.lastIndex = at;
  return closed.test(text)
    ? 'Text follows the closing quote of a value; double the quotes inside the value.'
    : 'A value begins with a quote that is never closed.';
}

function lineEnds(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
