/**
 * The backup file: gzip around a run of frames. A frame is one letter, four bytes of length (big-endian), the bytes.
 *
 *   H  the header, JSON: format name, format version, last migration number, when it was taken
 *   T  a table begins, JSON: its name and columns
 *   D  a piece of the table's rows in PostgreSQL's COPY text format; pieces may be cut anywhere
 *   E  the table ends, JSON: how many rows
 *   S  the summary, JSON: all tables with columns and rows, all sequences, all partitions
 *   C  the checksum: the SHA-256 of every byte before this frame; nothing follows it
 *
 * A file without its C frame, or with another checksum in it, is damaged.
 */
import { createHash, type Hash } from 'node:crypto';

export const formatName = 'proofmark-backup';
/** 1 was written before 0.1.0, where the numbers of migrations meant others. */
export const formatVersion = 2;
/** The limit of a frame, so that a damaged length cannot make the reader wait for gigabytes. */
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
  /** The next number of the sequence, in digits. */
  next: string;
}

/**
 * A partition. Its rows are stored with the whole table; the restore creates it before it loads
 * them.
 */
export interface BackupPartition {
  /** The name of the partitioned table. */
  of: string;
  name: string;
  /** As PostgreSQL prints it: FOR VALUES FROM ('a') TO ('b'). */
  bound: string;
}

export interface BackupSummary {
  tables: (BackupTable & { rows: number })[];
  sequences: BackupSequence[];
  partitions: BackupPartition[];
}

/** A backup file cannot be restored. The message is one sentence for the person who gave it. */
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
 * Counts the rows of a piece of COPY text, in which a line end inside a value is written as two
 * other characters.
 */
export function countRows(piece: Buffer): number {
  let rows = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) rows += 1;
  return rows;
}
