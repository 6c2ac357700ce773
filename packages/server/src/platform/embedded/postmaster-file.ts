import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What PostgreSQL writes into `postmaster.pid` of its cluster: the first line is its number, the eighth its state. */
export interface PostmasterFile {
  pid: number;
  ready: boolean;
}

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
}
