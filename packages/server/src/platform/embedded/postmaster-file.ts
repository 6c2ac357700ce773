import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The relevant parts of PostgreSQL's `postmaster.pid`: the first line is the process number, the
 * eighth the state.
 */
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
