/**
 * Reads the data files that a suite file names. Paths and links out of the suite file's folder are
 * rejected. Otherwise an untrusted suite file could send other files of this machine.
 */
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, largestSuiteFileBytes } from '@proofmark/domain';
import { UsageProblem } from '../remote/exit-codes.ts';
import { DataFileProblem } from './data-file-problem.ts';
import { type FileRow, readRows } from './read-rows.ts';

export interface SuiteFileToSend {
  readonly content: string;
  readonly dataFiles?: Readonly<Record<string, FileRow[]>>;
}

export async function readDataFiles(file: string, content: string): Promise<SuiteFileToSend> {
  if (!/\bdata\b/.test(content)) return { content };
  const { parseYamlLoosely } = await import('./parse-yaml.ts');
  const suite = parseYamlLoosely(content);
  const cases = isRecord(suite) && Array.isArray(suite['cases']) ? suite['cases'] : [];
  const data = cases.flatMap((one) =>
    isRecord(one) && isRecord(one['data']) ? [one['data']] : [],
  );
  const dataFiles: Record<string, FileRow[]> = {};
  for (const { file: name } of data) {
    if (typeof name !== 'string' || Object.hasOwn(dataFiles, name)) continue;
    dataFiles[name] = await readBeside(file, name);
  }
  const isLong = Buffer.byteLength(content) > largestSuiteFileBytes;
  const sent = isLong ? setRowsAside(suite, data, dataFiles) : content;
  return Object.keys(dataFiles).length === 0 ? { content } : { content: sent, dataFiles };
}

function setRowsAside(
  suite: unknown,
  data: readonly Record<string, unknown>[],
  dataFiles: Record<string, FileRow[]>,
): string {
  for (const [at, one] of data.entries()) {
    if (!Array.isArray(one['rows'])) continue;
    const name = `rows of the suite file ${at + 1}`;
    dataFiles[name] = one['rows'];
    delete one['rows'];
    one['file'] = name;
  }
  return JSON.stringify(suite);
}

async function readBeside(file: string, name: string): Promise<FileRow[]> {
  try {
    return await readRows(name, await readFile(await placeOf(file, name), 'utf8'));
  } catch (error) {
    if (error instanceof DataFileProblem) throw new UsageProblem(`${name}: ${error.message}`);
    if (error instanceof UsageProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageProblem(`The data file ${name} cannot be read (${code ?? 'unknown reason'}).`);
  }
}

async function placeOf(file: string, name: string): Promise<string> {
  if (file === '-') {
    throw new UsageProblem(
      `The data file ${name} must be in the folder of the suite file; give the name of the suite file instead of -.`,
    );
  }
  const folder = await realpath(path.dirname(path.resolve(file)));
  const isOutside = (place: string) => {
    const way = path.relative(folder, place);
    return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  };
  const stated = path.resolve(folder, name);
  // Checked before links are followed, so that the error does not reveal whether a file outside the
  // folder exists.
  const place = path.isAbsolute(name) || isOutside(stated) ? undefined : await realpath(stated);
  if (place !== undefined && !isOutside(place)) return place;
  throw new UsageProblem(
    `The data file ${name} is not in the folder of the suite file; put it there, and name it relative to that folder.`,
  );
}
