/**
 * Tests again what changed: a suite file alone when only it changed, everything when the files of the server did. At a
 * terminal the last result stands still until the next one is there, failing suites first. Ctrl+C ends with the code of
 * the last verdicts.
 */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';
import { clockTime, printLine, printNotice } from '../../output.ts';
import { sentenceOf } from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import type { ChosenServers } from './chosen-servers.ts';
import type { OpenedService } from './open-service.ts';
import { endProgress, exitCodeOf, type TestedSuite, testedText } from './test-suite.ts';
import type { Interruption } from './until-interrupted.ts';

const quietMs = 200;

type Outcome = TestedSuite | { readonly problem: string; readonly exitCode: number };

export async function watchAndTest(
  files: readonly string[],
  testFile: (file: string) => Promise<TestedSuite>,
  around: {
    readonly opened: OpenedService;
    readonly chosen: ChosenServers | undefined;
    readonly watchPath: string | undefined;
    readonly interruption: Interruption;
  },
): Promise<number> {
  const outcomes = new Map<string, Outcome>();
  const changes = watchChanges(files, around.watchPath ?? sourceFolderOf(around.chosen));
  let isOver = false;
  const over = around.interruption.code.then(() => {
    isOver = true;
    changes.wake();
  });
  try {
    for (let changed: readonly string[] = files; !isOver; changed = await changes.next()) {
      for (const file of changed) {
        const outcome = await Promise.race([testOrTell(file, testFile), over]);
        if (isOver || !outcome) break;
        outcomes.set(file, outcome);
      }
      if (!isOver) show(files, outcomes, around.opened);
    }
  } finally {
    changes.stop();
  }
  return outcomes.size === 0 ? exitCodes.other : exitCodeOf([...outcomes.values()]);
}

/** A file in the midst of being edited is no reason to end. */
async function testOrTell(
  file: string,
  testFile: (file: string) => Promise<TestedSuite>,
): Promise<Outcome> {
  try {
    return await testFile(file);
  } catch (error) {
    return { problem: sentenceOf(error), exitCode: exitCodes.other };
  }
}

function show(
  files: readonly string[],
  outcomes: ReadonlyMap<string, Outcome>,
  opened: OpenedService,
): void {
  endProgress();
  if (process.stdout.isTTY) process.stdout.write('\u001b[H\u001b[2J\u001b[3J');
  const known = files.flatMap((file) => {
    const outcome = outcomes.get(file);
    return outcome === undefined ? [] : [{ file, outcome }];
  });
  const failingFirst = [...known].sort(
    (one, other) => placeOf(one.outcome.exitCode) - placeOf(other.outcome.exitCode),
  );
  for (const { file, outcome } of failingFirst) {
    if ('problem' in outcome) printLine(`${file}: ${outcome.problem}`);
    else process.stdout.write(testedText(outcome, opened, terminalAbility()));
    printLine();
  }
  printNotice(`tested at ${clockTime(new Date())}; waiting for changes. Stop with Ctrl+C.`);
}

function placeOf(exitCode: number): number {
  return [exitCodes.failed, exitCodes.other, exitCodes.usage, exitCodes.passed].indexOf(
    exitCode as 0 | 1 | 2 | 3,
  );
}

/** That of the script which the command starts; nothing for a server at an address. */
function sourceFolderOf(chosen: ChosenServers | undefined): string | undefined {
  if (chosen?.only === undefined) return undefined;
  const server = chosen.read(chosen.only);
  if (server.kind === 'http') return undefined;
  const { cwd = '.', args, command } = server;
  const script = [...args, command]
    .map((word) => path.resolve(cwd, word))
    .find((place) => existsSync(place) && statSync(place).isFile());
  return script === undefined || script === command ? undefined : path.dirname(script);
}

interface Changes {
  /** The files to test again, once nothing has changed for a moment. */
  next(): Promise<readonly string[]>;
  wake(): void;
  stop(): void;
}

function watchChanges(files: readonly string[], sources: string | undefined): Changes {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let resolve: (() => void) | undefined;
  const wake = () => resolve?.();
  const note = (changed: readonly string[]) => {
    for (const file of changed) waiting.add(file);
    clearTimeout(timer);
    timer = setTimeout(wake, quietMs);
  };
  const watchers: FSWatcher[] = files.map((file) =>
    // Editors replace a file, so its folder is watched.
    watch(path.dirname(path.resolve(file)), (_event, name) => {
      if (name === path.basename(file)) note([file]);
    }),
  );
  if (sources !== undefined) {
    watchers.push(
      watch(sources, { recursive: true }, (_event, name) => {
        if (isSource(name, sources, files)) note(files);
      }),
    );
  }
  return {
    wake,
    async next() {
      if (waiting.size === 0) {
        await new Promise<void>((done) => {
          resolve = done;
        });
      }
      const changed = files.filter((file) => waiting.has(file));
      waiting.clear();
      return changed;
    },
    stop() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Not what tools write by themselves, and not a suite, which has a watcher of its own. */
function isSource(name: string | null, sources: string, files: readonly string[]): boolean {
  if (name === null) return true;
  if (/(^|[/\\])(node_modules|\.git|\.proofmark|__pycache__)([/\\]|$)/.test(name)) return false;
  const place = path.resolve(sources, name);
  return !files.some((file) => path.resolve(file) === place);
}
