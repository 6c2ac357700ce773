import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { isRecord, type Json } from '@proofmark/domain';
import { UsageProblem } from './exit-codes.ts';

export async function readGivenFile(file: string): Promise<string> {
  if (file === '-') return readStream(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new UsageProblem(`There is no file ${file}; give its path from this folder.`);
    }
    throw new UsageProblem(`${file} cannot be read (${code ?? 'unknown reason'}).`);
  }
}

export async function readGivenFields(file: string | undefined): Promise<Json> {
  if (file === undefined) return {};
  const fields = parsedOrNothing(await readGivenFile(file));
  if (!isRecord(fields)) throw new UsageProblem(`${file} must hold one JSON object, in braces.`);
  return fields;
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
