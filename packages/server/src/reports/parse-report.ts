// Reads a report in a thread of its own, so that a large or hostile one holds up nobody: the thread has a
// memory limit and a time limit, a few run at once and the others wait their turn. Whatever happens to the
// thread, the answer is the tests or one sentence that says what is wrong.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ReportFormat, Turns } from '@proofmark/domain';
import { checkFirstBytes } from './decode.ts';
import { type Report, ReportProblem } from './report.ts';
import type { ReportPart } from './report-worker.ts';

export interface ParseLimits {
  timeoutMs: number;
  memoryMb: number;
}

const defaultLimits: ParseLimits = { timeoutMs: 30_000, memoryMb: 256 };
const turns = new Turns(2);

export async function parseReport(
  bytes: Uint8Array,
  format: ReportFormat,
  limits: ParseLimits = defaultLimits,
): Promise<Report | { problem: string }> {
  try {
    checkFirstBytes(bytes, format);
  } catch (error) {
    if (error instanceof ReportProblem) return { problem: error.message };
    throw error;
  }
  return turns.run(() => parseInThread(bytes, format, limits));
}

async function parseInThread(
  bytes: Uint8Array,
  format: ReportFormat,
  { timeoutMs, memoryMb }: ParseLimits,
): Promise<Report | { problem: string }> {
  const copy = new Uint8Array(bytes);
  const worker = new Worker(workerFile, {
    execArgv: [],
    // It reads text of strangers: it has no use for the settings of the service.
    env: {},
    workerData: { bytes: copy, format },
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const report: Report = { tests: [], errors: [] };
      timer = setTimeout(() => resolve({ problem: tooLong(timeoutMs) }), timeoutMs);
      worker.on('message', (part: ReportPart) => {
        if ('problem' in part) return resolve(part);
        for (const test of part.tests) report.tests.push(test);
        if (part.done) return resolve({ tests: report.tests, errors: part.errors ?? [] });
        // Others get their turn between two parts.
        setImmediate(() => worker.postMessage('next'));
      });
      worker.on('messageerror', () => resolve({ problem: unreadable }));
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        resolve({ problem: outOfMemory ? tooMuchMemory : unreadable });
      });
      worker.on('exit', () => resolve({ problem: unreadable }));
      worker.postMessage('next');
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const unreadable = 'The report could not be read: its reader stopped; send it in smaller parts.';
const tooMuchMemory = 'The report takes too much memory to read; send it in smaller parts.';

function tooLong(timeoutMs: number): string {
  return `Reading the report took longer than ${timeoutMs / 1000} seconds; send it in smaller parts.`;
}

// In a build the thread is a file beside the program, and this code may stand in a part of the program
// one folder below it.
const workerFile = findWorkerFile();

function findWorkerFile(): URL {
  if (import.meta.url.endsWith('.ts')) {
    return new URL('./report-worker-from-source.mjs', import.meta.url);
  }
  const beside = new URL('./report-worker.js', import.meta.url);
  return existsSync(fileURLToPath(beside))
    ? beside
    : new URL('../report-worker.js', import.meta.url);
}
