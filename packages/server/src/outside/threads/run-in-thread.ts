/**
 * Runs one of our programs on untrusted input in a separate thread, so that large or hostile input
 * does not block the calling thread. The thread has a memory limit and a time limit. The result is
 * requested part by part, because receiving a large message would block the calling thread.
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
   * The TypeScript file that runs in the thread, in the same folder as the calling code. The
   * program posts `threadReady` when it is loaded; then its time limit begins. It answers each
   * later message with a part of the result.
   */
  readonly program: URL;
  readonly input: unknown;
  readonly transfer?: readonly TransferListItem[];
  readonly limits: ThreadLimits;
  /**
   * Called with each part. Returns the result after the last part, or undefined to request the next
   * part.
   */
  take(part: Part): Result | undefined;
}

const longestStartMs = 60_000;

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
    // The thread reads untrusted text and does not need the settings of the service, so it gets no
    // environment variables.
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
      // On a busy machine a thread takes long to start, regardless of its input, so the start has a
      // limit of its own.
      stopAfter(longestStartMs, new Error('The thread did not start in time.'));
      worker.on('message', (part: Part | typeof threadReady) => {
        if (part === threadReady) {
          stopAfter(timeoutMs);
          return worker.postMessage('next');
        }
        const result = take(part);
        if (result !== undefined) return resolve({ result });
        // Lets other work of this process run before the next part is requested.
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

export function startOf(program: URL): { readonly file: URL; readonly argv: string[] } {
  return fromSource
    ? { file: sourceStarter, argv: [program.href] }
    : { file: builtFile(program), argv: [] };
}

/**
 * Returns the built JavaScript file of the program. It is in the folder of the calling code or one
 * folder above.
 */
function builtFile(program: URL): URL {
  const name = program.pathname.slice(program.pathname.lastIndexOf('/') + 1).replace(/ts$/, 'js');
  const beside = new URL(`./${name}`, program);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../${name}`, program);
}
