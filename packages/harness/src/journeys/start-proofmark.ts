/**
 * Starts the real command as a child process, waits until the command is ready, and stops or kills
 * exactly that process.
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
  stdout(): string;
  stderr(): string;
  /** Parses each line of stdout as a JSON event. */
  events(): Record<string, string>[];
  /** Asks the process to stop, as an orchestrator does, and returns its exit. */
  stop(): Promise<Ended>;
  /** Kills the process without a clean-up. Its database keeps running. */
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
  readonly program?: string;
}

export interface ProofmarkProcess extends Omit<StartedProofmark, 'url'> {
  readonly ended: Promise<Ended>;
}

const program = fileURLToPath(new URL('../../../cli/bin/proofmark.js', import.meta.url));
const builtProgram = fileURLToPath(new URL('./built-command.mjs', import.meta.url));
/**
 * The first command of this process checks all sources and builds, as in any clone. Later commands
 * skip the check, which would cost a sixth of the CPU of a start.
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
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // Output on stdout shows that the command is built.
  child.stdout.once('data', () => {
    isBuilt = true;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended);
  return {
    pid: child.pid as number,
    stdout: () => output.stdout,
    stderr: () => withoutPreparing(output.stderr),
    events: () => eventsOf(output.stdout),
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
  const hasOutput = () => started.stdout().includes('\n');
  await until(() => gone || hasOutput(), 'the command is ready', readyWithinMs).catch(
    () => undefined,
  );
  if (!hasOutput()) {
    await started.kill();
    throw new Error(`Proofmark did not get ready: ${started.stdout()}${started.stderr()}`);
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

/** The settings of the developer must not reach the tested commands. */
export function foreignEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(PROOFMARK_|DATABASE_URL$)/.test(name),
  );
  return {
    ...Object.fromEntries(others),
    // The developer's logins must not reach the commands, and tests must not write to the
    // developer's own folders.
    ...foldersOfNobody(),
    // A test that renders widgets enables the browser. In other tests, an installed browser must
    // not change the result.
    PROOFMARK_CHROMIUM: 'off',
  };
}

let folders: { readonly XDG_CONFIG_HOME: string; readonly XDG_STATE_HOME: string } | undefined;

/** All commands of this process share these folders, since some need files that others wrote. */
function foldersOfNobody() {
  if (folders === undefined) {
    const home = mkdtempSync(path.join(tmpdir(), 'proofmark-nobody-'));
    process.once('exit', () => rmSync(home, { recursive: true, force: true }));
    folders = { XDG_CONFIG_HOME: `${home}/config`, XDG_STATE_HOME: `${home}/state` };
  }
  return folders;
}
