/**
 * Runs a command at a real terminal of 80 columns and 24 rows. It uses `script` of util-linux, so
 * it needs no native npm package. Without `script`, the tests that need it are reported and
 * skipped.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Command, foreignEnvironment } from '@proofmark/harness/journeys/start-proofmark.ts';

export const hasTerminal = spawnSync('script', ['--version'], {
  encoding: 'utf8',
}).stdout?.includes('util-linux');

export interface AtTerminal {
  /** Returns all output so far, including control sequences; ␛ replaces the escape character. */
  written(): string;
  pressInterrupt(): void;
  readonly ended: Promise<number>;
  kill(): void;
}

export function runAtTerminal(command: Command & { readonly program: string }): AtTerminal {
  const words = [process.execPath, command.program, ...command.parameters].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  const typed = `stty cols 80 rows 24; exec ${words.join(' ')}`;
  // CI is removed, since the command redraws no output in CI.
  const { CI: _, NO_COLOR: __, ...environment } = foreignEnvironment();
  const child = spawn('script', ['-qefc', typed, '/dev/null'], {
    cwd: command.folder,
    env: {
      ...environment,
      TERM: 'xterm',
      LC_ALL: 'C.UTF-8',
      SHELL: '/bin/sh',
      ...command.environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text.replaceAll('\u001b', '␛');
  });
  return {
    written: () => written,
    pressInterrupt: () => child.stdin.write('\u0003'),
    ended: once(child, 'close').then(([code]) => Number(code)),
    kill: () => child.kill('SIGKILL'),
  };
}
