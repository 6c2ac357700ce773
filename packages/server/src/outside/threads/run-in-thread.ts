/**
 * Runs one of our programs on untrusted input in a separate thread, so that large or hostile input
 * blocks nobody: the thread has a memory limit and a time limit. It is asked for one part at a
 * time, because receiving much in one message would block the requesting thread.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { threadReady } from './thread-ready.ts';

export interface ThreadLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export interface ThreadTask<Part, Result> {
  /**
   * The TypeScript file of the thread, beside the code that starts it. It posts `threadReady` once
   * it is loaded, which starts its clock, and answers each message with a part.
   */
  readonly program: URL;
  readonly input: unknown;
  readonly transfer?: readonly TransferListItem[];
  readonly limits: ThreadLimits;
  /** Returns the result after the last part; undefined requests the next part. */
  take(part: Part): Result | undefined;
}

const longestStartMs = 60_000;

/** The reason why a thread was stopped before its answer. */
export type Stop = 'tooLong' | 'tooMuchMemory' | 'broken';

export async function runInThread<Part, Result>({
  program,
  input,
  transfer = [],
  limits: { timeoutMs, memoryMb },
  take,
}: ThreadTask<Part, Result>): Promise<{ result: Result } | { stopped: Stop; cause?: unknown }> {
  const { file, argv } = startOf(program);
  const worker = new Worker(file, {
    argv,
    execArgv: [],
    // It reads untrusted text and does not need the settings of the service.
    env: {},
    workerData: input,
    transferList: [...transfer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const stopAfter = (ms: number, cause?: unknown) => {
        clearTimeout(timer);
        const stopped = cause === undefined ? 'tooLong' : 'broken';
        timer = setTimeout(() => resolve({ stopped, cause }), ms);
      };
      // On a busy machine a start takes long for any input, so it has a separate limit.
      stopAfter(longestStartMs, new Error('The thread did not start in time.'));
      worker.on('message', (part: Part | typeof threadReady) => {
        if (part === threadReady) {
          stopAfter(timeoutMs);
          return worker.postMessage('next');
        }
        const result = take(part);
        if (result !== undefined) return resolve({ result });
        // Other work gets a turn between two parts.
        setImmediate(() => worker.postMessage('next'));
      });
      worker.on('messageerror', () => resolve({ stopped: 'broken' }));
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        resolve({ stopped: outOfMemory ? 'tooMuchMemory' : 'broken', cause: error });
      });
      worker.on('exit', () => resolve({ stopped: 'broken' }));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const fromSource = import.meta.url.endsWith('.ts');
const sourceStarter = new URL('./thread-from-source.mjs', import.meta.url);

/**
 * Returns how to start a program in a separate thread or process: from its source, or from the
 * build.
 */
export function startOf(program: URL): { readonly file: URL; readonly argv: string[] } {
  return fromSource
    ? { file: sourceStarter, argv: [program.href] }
    : { file: builtFile(program), argv: [] };
}

/**
 * In a build the thread's file is beside the command, and the code that starts it may be one folder
 * below.
 */
function builtFile(program: URL): URL {
  const name = program.pathname.slice(program.pathname.lastIndexOf('/') + 1).replace(/ts$/, 'js');
  const beside = new URL(`./${name}`, program);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../${name}`, program);
}
