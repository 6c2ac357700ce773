/**
 * Starts the real command as a child process, waits until it is ready, and stops or kills exactly
 * that process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';
import { withoutPreparing } from './without-preparing.ts';

export interface StartedProofmark {
  readonly pid: number;
  readonly url: string;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** The lines of stdout, each of which is a JSON event. */
  events(): Record<string, string>[];
  /** Asks it to stop, like an orchestrator, and returns how it ended. */
  stop(): Promise<Ended>;
  /** Kills it without a chance to clean up. Its database keeps running. */
  kill(): Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Command {
  readonly folder: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A file to run instead of this repository's command. */
  readonly program?: string;
}

export interface ProofmarkProcess extends Omit<StartedProofmark, 'url'> {
  readonly ended: Promise<Ended>;
}

const program = fileURLToPath(new URL('../../../cli/bin/proofmark.js', import.meta.url));
const builtProgram = fileURLToPath(new URL('./built-command.mjs', import.meta.url));
/**
 * The first command of this process checks every source and builds, as in any clone. Later commands
 * would repeat the check, a sixth of the CPU of a start, without result.
 */
let isBuilt = false;
const readyWithinMs = 90_000;

export async function startProofmark(command: Command): Promise<StartedProofmark> {
  const started = spawnProofmark(command);
  const url = await firstLine(started);
  return { ...started, url };
}

export function spawnProofmark(command: Command): ProofmarkProcess {
  const file = command.program ?? (isBuilt ? builtProgram : program);
  const child = spawn(process.execPath, [file, ...command.parameters], {
    cwd: command.folder,
    env: { ...foreignEnvironment(), ...command.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  // Only a built command prints there.
  child.stdout.once('data', () => {
    isBuilt = true;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended);
  return {
    pid: child.pid as number,
    stdout: () => said.stdout,
    stderr: () => withoutPreparing(said.stderr),
    events: () => eventsOf(said.stdout),
    ended,
    stop: () => end(child, 'SIGTERM', ended),
    kill: () => end(child, 'SIGKILL', ended),
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<Ended>): Promise<Ended> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  return ended;
}

async function firstLine(started: ProofmarkProcess): Promise<string> {
  let gone = false;
  void started.ended.then(() => {
    gone = true;
  });
  const heard = () => started.stdout().includes('\n');
  await until(() => gone || heard(), 'the command is ready', readyWithinMs).catch(() => undefined);
  if (!heard()) {
    await started.kill();
    throw new Error(`It did not get ready: ${started.stdout()}${started.stderr()}`);
  }
  return started.events()[0]?.['url'] ?? '';
}

export function eventsOf(stdout: string): Record<string, string>[] {
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, string>);
}

/** Settings of the person who runs the tests must not reach the tested commands. */
export function foreignEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(PROOFMARK_|DATABASE_URL$)/.test(name),
  );
  return {
    ...Object.fromEntries(others),
    // Logins of that person must not reach them either, and tests must not add to that person's
    // notes.
    ...foldersOfNobody(),
    // A test that renders widgets enables it: a browser of the machine must not change the other
    // tests.
    PROOFMARK_CHROMIUM: 'off',
  };
}

let folders: { readonly XDG_CONFIG_HOME: string; readonly XDG_STATE_HOME: string } | undefined;

/** Shared by all commands of this process, since some need the notes of others. */
function foldersOfNobody() {
  if (folders === undefined) {
    const home = mkdtempSync(path.join(tmpdir(), 'proofmark-nobody-'));
    process.once('exit', () => rmSync(home, { recursive: true, force: true }));
    folders = { XDG_CONFIG_HOME: `${home}/config`, XDG_STATE_HOME: `${home}/state` };
  }
  return folders;
}
