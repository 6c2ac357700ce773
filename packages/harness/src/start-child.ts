import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleChild } from './bundle-child.ts';

export interface Child {
  pid: number;
  /**
   * The first printed line, parsed as JSON. If the process exits before it prints a line, rejects
   * with its whole output.
   */
  first: Promise<Record<string, unknown>>;
  lines: string[];
  errors(): string;
  /** Resolves with the exit code or signal of the process, after all its output has been read. */
  closed: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** The script's path is relative to the folder of this file. */
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
