/**
 * The backup file: gzip around a sequence of frames. A frame is one letter, the length in four
 * bytes (big-endian), and that many bytes.
 *
 *   H the header, JSON: format name, format version, last migration number, time of the backup
 *   T a table begins, JSON: its name and columns
 *   D a piece of the table's rows in PostgreSQL's COPY text format; pieces may be cut anywhere
 *   E the table ends, JSON: the number of rows
 *   S the summary, JSON: all tables with columns and rows, all sequences, all partitions
 *   C the checksum: the SHA-256 of every byte before this frame, which is the last one
 *
 * A file without its C frame, or with a wrong checksum in it, is damaged.
 */
import { createHash, type Hash } from 'node:crypto';

export const formatName = 'proofmark-backup';
/**
 * The version of the format. Version 1 was written before 0.1.0, when migrations had other numbers.
 */
export const formatVersion = 2;
/**
 * The maximum length of a frame in bytes. Without it, a damaged length could make the reader wait
 * for gigabytes.
 */
export const longestFrameBytes = 1024 * 1024;

export interface BackupHeader {
  format: string;
  version: number;
  migration: number;
  createdAt: string;
}

export interface BackupTable {
  name: string;
  columns: string[];
}

export interface BackupSequence {
  name: string;
  /** The next number of the sequence, as decimal digits. */
  next: string;
}

/**
 * A partition of a table. Its rows are stored with the rows of the whole table; a restore creates
 * the partition before it loads them.
 */
export interface BackupPartition {
  of: string;
  name: string;
  /** The range of the partition as PostgreSQL prints it: FOR VALUES FROM ('a') TO ('b'). */
  bound: string;
}

export interface BackupSummary {
  tables: (BackupTable & { rows: number })[];
  sequences: BackupSequence[];
  partitions: BackupPartition[];
}

/** Thrown if a backup file cannot be restored. The message is one sentence for the operator. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

export class FrameWriter {
  readonly #hash: Hash = createHash('sha256');

  json(
    letter: 'H' | 'T' | 'E' | 'S',
    content: BackupHeader | BackupTable | { rows: number } | BackupSummary,
  ): Buffer {
    return this.#frame(letter, Buffer.from(JSON.stringify(content)));
  }

  *data(bytes: Buffer): Generator<Buffer> {
    for (let from = 0; from < bytes.length; from += longestFrameBytes) {
      yield this.#frame('D', bytes.subarray(from, from + longestFrameBytes));
    }
  }

  checksum(): Buffer {
    return this.#frame('C', this.#hash.copy().digest());
  }

  #frame(letter: string, content: Buffer): Buffer {
    const head = Buffer.alloc(5);
    head.write(letter, 'latin1');
    head.writeUInt32BE(content.length, 1);
    this.#hash.update(head).update(content);
    return Buffer.concat([head, content]);
  }
}

/**
 * Counts the rows in a piece of COPY text by its line ends. A line end inside a value is written as
 * two other characters, so it is not counted.
 */
export function countRows(piece: Buffer): number {
  let rows = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) rows += 1;
  return rows;
}
