/**
 * `--watch` tests again after changes: a changed suite file alone, or all suites after a change of
 * the server's files. Ctrl+C ends with the exit code of the latest verdicts.
 */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';
import { clockTime, printLine, printNotice } from '../../output.ts';
import { sentenceOf } from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { followRun } from '../../remote/follow-run.ts';
import type { LiveScreen } from '../../remote/live-lines.ts';
import { redrawnOn } from '../../remote/redrawn-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { isLive, readTrialsToDraw } from '../../remote/watch-run.ts';
import type { ChosenServers } from './chosen-servers.ts';
import { seldom } from './follow-test.ts';
import type { TestingService } from './open-service.ts';
import {
  type Course,
  exitCodeOf,
  SuiteMistakes,
  type TestedSuite,
  testedText,
} from './test-suite.ts';
import type { Interruption } from './until-interrupted.ts';
import { isTested, type Outcome, watchScreen } from './watch-screen.ts';

const quietMs = 200;

type TestFile = (file: string, follow: Course['follow']) => Promise<TestedSuite>;

interface TestDisplay {
  readonly follow: Course['follow'];
  readonly begin: (file: string) => void;
  readonly show: (outcomes: readonly Outcome[]) => void;
}

export async function watchAndTest(
  files: readonly string[],
  testFile: TestFile,
  around: {
    readonly opened: TestingService;
    readonly chosen: ChosenServers | undefined;
    readonly watchPath: string | undefined;
    readonly interruption: Interruption;
  },
): Promise<number> {
  const { opened } = around;
  const outcomes = new Map<string, Outcome>();
  const display = isLive(process.stdout, process.env) ? terminalDisplay() : lineDisplay(opened);
  const changes = watchChanges(files, around.watchPath ?? sourceFolderOf(around.chosen));
  let isOver = false;
  const over = around.interruption.code.then(() => {
    isOver = true;
    changes.wake();
  });
  try {
    for (let changed: readonly string[] = files; !isOver; changed = await changes.next()) {
      for (const file of changed) {
        display.begin(file);
        const testing = testOrTell(file, opened, (one) => testFile(one, display.follow));
        const outcome = await Promise.race([testing, over]);
        if (isOver || !outcome) break;
        outcomes.set(file, outcome);
      }
      if (!isOver) display.show(inOrder(files, outcomes));
    }
  } finally {
    changes.stop();
  }
  return outcomes.size === 0 ? exitCodes.other : exitCodeOf([...outcomes.values()]);
}

/**
 * Tests a suite file or returns its problem. A file may be invalid while being edited, so an error
 * does not end `--watch`.
 */
async function testOrTell(
  file: string,
  { connection }: TestingService,
  testFile: (file: string) => Promise<TestedSuite>,
): Promise<Outcome> {
  try {
    const tested = await testFile(file);
    const { items } = await readTrialsToDraw(connection, tested.runId);
    return { ...tested, trials: items };
  } catch (error) {
    const lines = error instanceof SuiteMistakes ? error.lines : [];
    return { file, problem: [sentenceOf(error), ...lines], exitCode: exitCodes.other };
  }
}

/** Failing suites come first. */
function inOrder(files: readonly string[], outcomes: ReadonlyMap<string, Outcome>): Outcome[] {
  const known = files.flatMap((file) => outcomes.get(file) ?? []);
  return known.sort((one, other) => placeOf(one.exitCode) - placeOf(other.exitCode));
}

function placeOf(exitCode: number): number {
  return [exitCodes.failed, exitCodes.other, exitCodes.usage, exitCodes.passed].indexOf(
    exitCode as 0 | 1 | 2 | 3,
  );
}

/**
 * Keeps the last result on the screen until the next one. Meanwhile only the last line shows
 * progress.
 */
function terminalDisplay(): TestDisplay {
  const { stdout } = process;
  const drawn = redrawnOn(
    (text) => stdout.write(text),
    () => stdout.columns,
  );
  let shown: readonly Outcome[] = [];
  const draw = (status: string) => drawn.draw(watchScreen(shown, screenOf(stdout), status));
  return {
    begin: (file) => draw(`testing ${file} …`),
    follow: (connection, runId, name) =>
      followRun(connection, runId, (sentence) => draw(`testing ${name}: ${sentence}`)),
    show: (outcomes) => {
      shown = outcomes;
      draw(waitingSentence());
    },
  };
}

function screenOf({ columns, rows = 24 }: { columns?: number; rows?: number }): LiveScreen {
  const isColoured = !process.env['NO_COLOR'];
  // The last row of the screen stays free for the cursor.
  return { ...terminalAbility(process.env, columns), rows: rows - 1, isColoured };
}

function lineDisplay(opened: TestingService): TestDisplay {
  return {
    begin: () => undefined,
    follow: (connection, runId, name) =>
      followRun(
        connection,
        runId,
        seldom((sentence) => printNotice(`${name}: ${sentence}`)),
      ),
    show: (outcomes) => {
      for (const outcome of outcomes) {
        if (isTested(outcome)) {
          for (const warning of outcome.warnings) printNotice(warning);
          process.stdout.write(testedText(outcome, opened, terminalAbility()));
        } else {
          const [first = '', ...more] = outcome.problem;
          for (const line of [`${outcome.file}: ${first}`, ...more]) printLine(line);
        }
        printLine();
      }
      printNotice(waitingSentence());
    },
  };
}

function waitingSentence(): string {
  return `tested at ${clockTime(new Date())}; waiting for changes. Stop with Ctrl+C.`;
}

/**
 * Returns the folder of the script that the server's command starts. Undefined for a server with an
 * address.
 */
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
  /**
   * Waits until a file has changed and no further change follows for a moment. Returns the suite
   * files to test again.
   */
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
    // Editors replace a file when saving, which would end a watch on the file itself. So the folder
    // is watched.
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

/**
 * Files written by tools do not count. Suite files do not count either, because each has its own
 * watcher.
 */
function isSource(name: string | null, sources: string, files: readonly string[]): boolean {
  if (name === null) return true;
  if (/(^|[/\\])(node_modules|\.git|\.proofmark|__pycache__)([/\\]|$)/.test(name)) return false;
  const place = path.resolve(sources, name);
  return !files.some((file) => path.resolve(file) === place);
}
