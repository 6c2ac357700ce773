/** For tests: a child of ours in a process of its own, with all it says collected. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleChild } from './bundle-child.ts';

export interface Child {
  pid: number;
  /** The first line it prints, as JSON. Rejects with what it said when it ends before. */
  first: Promise<Record<string, unknown>>;
  lines: string[];
  errors(): string;
  /** Its exit code, or the signal that ended it, once all its output has been read. */
  closed: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** The script is named from this folder. */
export function startChild(
  script: string,
  parameters: string[],
  user: { uid?: number; gid?: number } = {},
): Child {
  const program = bundleChild(path.resolve(here, script));
  const child = spawn(process.execPath, [program, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
    cwd: here,
  });
  const lines: string[] = [];
  let rest = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0));
  });
  const first = new Promise<Record<string, unknown>>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      if (lines[0] !== undefined) resolve(JSON.parse(lines[0]) as Record<string, unknown>);
    });
    void closed.then((code) => reject(new Error(`ended with ${code}: ${errors}`)));
  });
  first.catch(() => {});
  return {
    pid: child.pid as number,
    first,
    lines,
    errors: () => errors,
    closed,
    kill: (signal) => child.kill(signal),
  };
}
