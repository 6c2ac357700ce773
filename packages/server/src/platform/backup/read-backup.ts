import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type BackupHeader,
  BackupRefused,
  type BackupSummary,
  type BackupTable,
  countRows,
  formatName,
  formatVersion,
  longestFrameBytes,
} from './backup-format.ts';

export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'tableEnd'; rows: number }
  | { kind: 'summary'; summary: BackupSummary };

/**
 * Yields the parts of the file. The last part is yielded only after the checksum, the counts and
 * the end of the file were checked.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one state machine, with a case for each letter of the format.
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  let isOurs = false;
  let table: BackupTable | undefined;
  let rows = 0;
  const tables: BackupSummary['tables'] = [];
  let summary: BackupSummary | undefined;
  let isWhole = false;
  try {
    for await (const { letter, content, whole } of readFrames(file)) {
      if (isWhole) throw damaged(file);
      const before = letter === 'C' ? hash.copy().digest() : undefined;
      hash.update(whole);
      if (!isOurs) {
        const header = letter === 'H' ? (parse(content) as BackupHeader) : undefined;
        if (header?.format !== formatName) throw foreign(file);
        if (header.version < formatVersion) throw tooOld(file);
        if (header.version !== formatVersion) throw tooNew(file);
        isOurs = true;
        yield { kind: 'header', header };
      } else if (letter === 'T' && table === undefined && summary === undefined) {
        table = parse(content) as BackupTable;
        rows = 0;
        yield { kind: 'table', table };
      } else if (letter === 'D' && table !== undefined) {
        rows += countRows(content);
        yield { kind: 'data', bytes: content };
      } else if (letter === 'E' && table !== undefined) {
        if ((parse(content) as { rows: number }).rows !== rows) throw damaged(file);
        tables.push({ ...table, rows });
        table = undefined;
        yield { kind: 'tableEnd', rows };
      } else if (letter === 'S' && table === undefined && summary === undefined) {
        summary = parse(content) as BackupSummary;
        if (JSON.stringify(summary.tables) !== JSON.stringify(tables)) throw damaged(file);
      } else if (before !== undefined && summary !== undefined) {
        if (!before.equals(content)) throw damaged(file);
        isWhole = true;
      } else {
        throw damaged(file);
      }
    }
  } catch (error) {
    throw asRefusal(file, isOurs, error);
  }
  if (!isWhole || summary === undefined) throw isOurs ? damaged(file) : foreign(file);
  yield { kind: 'summary', summary };
}

interface Frame {
  letter: string;
  content: Buffer;
  whole: Buffer;
}

async function* readFrames(file: string): AsyncGenerator<Frame> {
  const source = pipeline(createReadStream(file), createGunzip(), () => {});
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const lengthBytes = rest.readUInt32BE(1);
      if (lengthBytes > longestFrameBytes)
        throw new Error('a frame is longer than the backup format allows');
      if (rest.length < 5 + lengthBytes) break;
      const whole = rest.subarray(0, 5 + lengthBytes);
      yield { letter: whole.toString('latin1', 0, 1), content: whole.subarray(5), whole };
      rest = rest.subarray(5 + lengthBytes);
    }
  }
  if (rest.length > 0) throw new Error('a frame is cut off');
}

function parse(content: Buffer): unknown {
  return JSON.parse(content.toString('utf8'));
}

function asRefusal(file: string, isOurs: boolean, error: unknown): Error {
  if (error instanceof BackupRefused) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT') return new BackupRefused(`There is no file ${file}.`);
  if (['EACCES', 'EISDIR', 'EIO'].includes(code)) {
    return new BackupRefused(`The file ${file} cannot be read (${code}).`);
  }
  return isOurs ? damaged(file) : foreign(file);
}

function damaged(file: string): BackupRefused {
  return new BackupRefused(
    `The backup ${file} is damaged or incomplete, so nothing was changed: use another copy of it.`,
  );
}

function foreign(file: string): BackupRefused {
  return new BackupRefused(
    `The file ${file} is not a Proofmark backup: use a file that "proofmark backup" has written.`,
  );
}

function tooOld(file: string): BackupRefused {
  return new BackupRefused(
    `The backup ${file} was written by a Proofmark before 0.1.0, which this version cannot restore, so nothing was changed: restore it with the version that wrote it.`,
  );
}

function tooNew(file: string): BackupRefused {
  return new BackupRefused(
    `The backup ${file} has a newer format than this Proofmark can read: restore it with the version that wrote it.`,
  );
}
