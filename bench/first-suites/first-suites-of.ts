/**
 * Runs `proofmark init` and `proofmark test` on a server in an empty folder and reads which cases
 * fail. The network is disabled where the operating system allows it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PublishedServer, startArguments } from '../../scripts/published-servers.mjs';

export interface RedCase {
  readonly id: string;
  /** Undefined for a case of the whole server: its tool list, or a conversation without tools. */
  readonly tool: string | undefined;
  readonly why: string;
}

export interface Measured {
  readonly tools: readonly string[];
  readonly toolsWithCases: readonly string[];
  readonly cases: number;
  readonly reds: readonly RedCase[];
  readonly seconds: number;
}

interface TestedCase {
  readonly id: string;
  readonly verdict: string;
  readonly why?: string;
  readonly checks?: readonly string[];
  readonly observed?: string;
}

interface TestedSuite {
  readonly cases: readonly TestedCase[];
  readonly surface?: { readonly servers: readonly { readonly tools: readonly string[] }[] };
}

const command = fileURLToPath(new URL('../../packages/cli/bin/proofmark.js', import.meta.url));
const mostMs = 10 * 60_000;

/** Starts a program with the loopback as its only network, where the operating system allows it. */
const unshare = process.getuid?.() === 0 ? '-n' : '-rn';
const offline = ['unshare', unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
export const isOffline = spawnSync(offline[0] ?? '', [...offline.slice(1), 'true']).status === 0;

/**
 * `before` is a wrapper program with its arguments. Node runs the wrapper, which starts the
 * server's program.
 */
export async function firstSuitesOf(
  server: PublishedServer,
  program: string,
  before: readonly string[] = [],
): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), 'first-suites-'));
  const home = path.join(folder, 'home');
  const work = path.join(folder, 'work');
  mkdirSync(home);
  mkdirSync(work);
  const run = (...args: readonly string[]) => inFolder(args, work, { ...server.env, HOME: home });
  const started = performance.now();
  try {
    const words = [process.execPath, ...before, ...startArguments(program, server, home)];
    const made = await run(
      ...['init', '--server-command', words.map(quoted).join(' ')],
      ...Object.keys(server.env ?? {}).flatMap((name) => ['--server-env', name]),
    );
    if (made.code !== 0) throw new Error(`init: ${made.output}`);
    const tested = await run('test', '--trust', '--json', 'report.json');
    const report = path.join(work, 'report.json');
    if (!existsSync(report)) throw new Error(`test: ${tested.output}`);
    const { suites } = JSON.parse(readFileSync(report, 'utf8')) as { suites: TestedSuite[] };
    return { ...readSuites(suites), seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function readSuites(suites: readonly TestedSuite[]): Omit<Measured, 'seconds'> {
  const listed = suites.flatMap(
    ({ surface }) => surface?.servers.flatMap(({ tools }) => tools) ?? [],
  );
  const tools = [...new Set(listed)];
  const cases = suites
    .flatMap((suite) => suite.cases)
    .filter(({ verdict }) => verdict !== 'skipped');
  const ofCases = new Set(cases.flatMap(({ id }) => toolOf(id, tools) ?? []));
  return {
    tools,
    toolsWithCases: [...ofCases],
    cases: cases.length,
    // A case without a verdict counts as red, like a failed one.
    reds: cases
      .filter(({ verdict }) => verdict !== 'passed')
      .map((one) => ({ id: one.id, tool: toolOf(one.id, tools), why: whyOf(one) })),
  };
}

function toolOf(id: string, tools: readonly string[]): string | undefined {
  const ending = /^(-answers|-refuses|-edges)?(-\d+)?$/;
  const [longest] = tools
    .filter((name) => id.startsWith(asId(name)) && ending.test(id.slice(asId(name).length)))
    .sort((one, other) => other.length - one.length);
  return longest;
}

function asId(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100);
}

function whyOf({ verdict, why, checks = [], observed }: TestedCase): string {
  return [verdict, why, ...checks, observed].filter((one) => one !== undefined).join(' | ');
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * The home folder is empty, so that this machine's settings and stored trust decisions have no
 * effect.
 */
function inFolder(
  args: readonly string[],
  cwd: string,
  own: Readonly<Record<string, string>>,
): Promise<Ended> {
  const words = [...(isOffline ? offline : []), process.execPath, command, ...args];
  const { PATH, PROOFMARK_CHROMIUM } = process.env;
  const env = { PATH, ...own, ...(PROOFMARK_CHROMIUM && { PROOFMARK_CHROMIUM }) };
  const child = spawn(words[0] ?? '', words.slice(1), { cwd, env, timeout: mostMs });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = `${output}${data}`.slice(-2_000);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: output.trim().replaceAll(/\s+/g, ' ') }));
  });
}

function quoted(word: string): string {
  return `"${word.replaceAll(/["\\]/g, '\\$&')}"`;
}
