/**
 * Measures the CPU of a `proofmark test --replay` process for 8 recorded trials (aim: at most 1 s).
 * Then checks that the cost per trial is equal for 1,250, 2,500 and 5,000 trials. Needs the built
 * command.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import {
  identityOf,
  readRecordingFile,
  recordingFileName,
  recordingLines,
} from '@proofmark/domain';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';

const most = Number(process.env['BENCH_TRIALS'] ?? 5000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
/**
 * The built command. The command of a repository clone would first check whether the sources have
 * changed.
 */
const command = path.resolve('packages/cli/dist/main.js');
/**
 * Code preloaded into the command. At exit it prints the CPU time of all threads, in microseconds.
 */
const tellsCpu = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)); });",
)}`;
const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-bench-'));
try {
  await record();
  const figures: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const cpu = await replay(8);
    // The first round does not count, because it reads the program's files from disk.
    if (round > 0) figures.push(cpu);
  }
  console.log(`8 trials: ${seconds(middle(figures))} of CPU (aim: at most 1 s), ${about()}`);
  const each: number[] = [];
  for (const trials of [most / 4, most / 2, most]) {
    const cpu = await replay(trials);
    each.push((cpu - middle(figures)) / (trials - 8));
    console.log(
      `${trials} trials: ${seconds(cpu)} of CPU, ${microseconds(each.at(-1))} each beyond 8`,
    );
  }
  const [first = 0] = each;
  console.log(
    `linear: ${((each.at(-1) ?? 0) / first).toFixed(2)} times the CPU for each of ${most} trials as of ${most / 4}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function suiteOf(name: string, cases: number, repetitions: number): object {
  return {
    schemaVersion: '1',
    suite: { id: name, name },
    defaults: { repetitions },
    cases: Array.from({ length: cases }, (_, index) => ({
      id: `case-${index + 1}`,
      title: `Case ${index + 1}`,
      steps: [
        { kind: 'prompt', prompt: 'When does the shop open today?' },
        { kind: 'prompt', prompt: 'What is the price of bread?' },
      ],
      assertions: [
        { type: 'toolCalledWith', toolName: 'opening_time', arguments: {} },
        { type: 'toolCalledWith', toolName: 'price_list', arguments: {} },
        { type: 'responseContains', needle: 'Bread' },
      ],
    })),
  };
}

async function record(): Promise<void> {
  const says = "'Bread: 3.'";
  const others = [{ name: 'price_list', description: 'Lists the price of bread.', says }];
  writeOwnServer(path.join(folder, 'shop.mjs'), { others });
  writeFileSync(path.join(folder, 'one.suite.yaml'), JSON.stringify(suiteOf('one', 1, 1)));
  await run(
    'test',
    '--record',
    '--ephemeral',
    '--server-command',
    'node shop.mjs',
    'one.suite.yaml',
  );
}

/** Returns the CPU of one replay, in microseconds. */
async function replay(trials: number): Promise<number> {
  const repetitions = Math.min(100, Math.max(1, trials / 4));
  const name = `of-${trials}`;
  const file = `${name}.suite.yaml`;
  const cases = trials / repetitions;
  writeFileSync(path.join(folder, file), JSON.stringify(suiteOf(name, cases, repetitions)));
  writeRecordings(name, `${file}.recordings`, cases, repetitions);
  const cpu = await run('test', '--replay', file);
  rmSync(path.join(folder, `${file}.recordings`), { recursive: true });
  return cpu;
}

function writeRecordings(suite: string, into: string, cases: number, repetitions: number): void {
  const from = path.join(folder, 'one.suite.yaml.recordings');
  const [only = ''] = readdirSync(from);
  const trial = {
    caseId: 'case-1',
    model: 'proofmark/lexical-1',
    provider: 'proofmark',
    repetition: 1,
  };
  const text = readFileSync(path.join(from, only), 'utf8');
  const read = readRecordingFile(text, { suite: 'one', trial }, sha256Hex);
  if ('stale' in read) throw new Error(read.stale);
  const { recording } = read;
  mkdirSync(path.join(folder, into));
  for (let number = 1; number <= cases; number += 1) {
    for (let repetition = 1; repetition <= repetitions; repetition += 1) {
      const one = { ...trial, caseId: `case-${number}`, repetition };
      const head = { suite, case: one.caseId, ...identityOf(one), trials: repetitions };
      const place = path.join(folder, into, recordingFileName(one));
      writeFileSync(place, recordingLines(head, recording, sha256Hex));
    }
  }
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function run(...parameters: string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', tellsCpu, command, ...parameters], {
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  let cpu = '';
  child.stdout?.on('data', (text) => output.push(String(text)));
  child.stderr?.on('data', (text) => output.push(String(text)));
  child.stdio[3]?.on('data', (text) => {
    cpu += String(text);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`The command ended with ${code}: ${output.join('')}`);
  return Number(cpu);
}

function middle(figures: readonly number[]): number {
  return [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
}

function seconds(microseconds: number): string {
  return `${(microseconds / 1_000_000).toFixed(2)} s`;
}

function microseconds(value = 0): string {
  return `${value.toFixed(0)} µs`;
}

function about(): string {
  return `median of ${rounds}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
}
