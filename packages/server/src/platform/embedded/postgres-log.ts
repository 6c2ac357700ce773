/**
 * `postgres.log` in the data directory, the log of PostgreSQL. A large one is renamed at a start.
 */
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const largestBytes = 8 * 1024 * 1024;

export function openLog(dataDir: string): number {
  const file = join(dataDir, 'postgres.log');
  if (sizeOf(file) > largestBytes) renameSync(file, `${file}.old`);
  return openSync(file, 'a', 0o600);
}

export function logSize(dataDir: string): number {
  return sizeOf(join(dataDir, 'postgres.log'));
}

/** Returns the last line after the given size that reports a problem; otherwise the last line. */
export function lastLogLine(dataDir: string, sinceBytes: number): string {
  const file = join(dataDir, 'postgres.log');
  const size = sizeOf(file);
  const from = Math.max(size < sinceBytes ? 0 : sinceBytes, size - 16_384);
  const text = Buffer.alloc(size - from);
  if (text.length > 0) {
    const handle = openSync(file, 'r');
    readSync(handle, text, 0, text.length, from);
    closeSync(handle);
  }
  const lines = text.toString('utf8').split('\n').filter(Boolean);
  const trouble = lines.filter((line) => /\b(FATAL|PANIC|ERROR|error):? /.test(line));
  return trouble.at(-1) ?? lines.at(-1) ?? 'it wrote nothing';
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
