/**
 * Reads the rows of a data file. The extension selects the format: CSV, JSON Lines or YAML, which
 * includes JSON.
 */
import path from 'node:path';
import { isRecord, maxRows } from '@proofmark/domain';
import { DataFileProblem } from './data-file-problem.ts';
import { readCsv } from './read-csv.ts';

export type FileRow = Record<string, unknown>;

const readers: Readonly<Record<string, (text: string) => Promise<unknown[]> | unknown[]>> = {
  '.csv': readCsv,
  '.jsonl': readJsonLines,
  '.ndjson': readJsonLines,
  '.yaml': readYaml,
  '.yml': readYaml,
  '.json': readYaml,
};

export async function readRows(name: string, text: string): Promise<FileRow[]> {
  const reader = readers[path.extname(name).toLowerCase()];
  if (reader === undefined) {
    throw new DataFileProblem(
      'The name of a data file must end with .csv, .jsonl, .ndjson, .yaml, .yml or .json.',
    );
  }
  const rows = await reader(text);
  if (rows.length === 0) throw new DataFileProblem('The file has no row.');
  if (rows.length > maxRows) {
    const [is, most] = [rows.length, maxRows].map((one) => one.toLocaleString('en-US'));
    throw new DataFileProblem(`The file has ${is} rows; a case may have at most ${most}.`);
  }
  return rows as FileRow[];
}

function readJsonLines(text: string): unknown[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const row = parsedOrNothing(line);
    if (isRecord(row)) return [row];
    throw new DataFileProblem('A line must be one JSON object, in braces.', at + 1);
  });
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readYaml(text: string): Promise<unknown[]> {
  const { LineCounter, parseDocument } = await import('./parse-yaml.ts');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    lineCounter,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    throw new DataFileProblem(problem.message, lineCounter.linePos(problem.pos[0]).line);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (!Array.isArray(value))
    throw new DataFileProblem('The file has no list of rows; write a list of maps.');
  const wrong = value.findIndex((row) => !isRecord(row));
  if (wrong >= 0) throw new DataFileProblem(`Row ${wrong + 1} is not a map of names to values.`);
  return value;
}
