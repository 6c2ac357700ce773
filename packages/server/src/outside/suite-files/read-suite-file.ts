/**
 * Reads a suite file in a thread with limits. A few files are read at a time; the others wait. Even
 * the smallest file gets a thread, since 32 KiB of commas block the parser for a quarter of a
 * second. A file that takes too much time or memory is reported as too large.
 */
import {
  largestSuiteFileBytes,
  Semaphore,
  type SuiteFile,
  type SuiteFileHelp,
} from '@proofmark/domain';
import { runInThread, type ThreadLimits } from '../threads/run-in-thread.ts';
import { type ReadSuiteFile, refused } from './refused-file.ts';
import type { SuiteFileAnswer, SuiteFileToRead } from './suite-file-worker.ts';

/** A normal file of 1 MiB takes 2 seconds. The limit is five times as long, for busy machines. */
const defaultLimits: ThreadLimits = { timeoutMs: 10_000, memoryMb: 256 };
const reading = new Semaphore(2);

export async function readSuiteFile(
  text: string,
  limits: ThreadLimits = defaultLimits,
  help: SuiteFileHelp = {},
): Promise<ReadSuiteFile> {
  if (Buffer.byteLength(text) > largestSuiteFileBytes) {
    const message = `The suite file is larger than ${largestSuiteFileBytes} bytes; split it.`;
    return refused('SUITE_FILE_TOO_LARGE', message);
  }
  return reading.run('suite', () => readInThread({ text, help }, limits));
}

async function readInThread(input: SuiteFileToRead, limits: ThreadLimits): Promise<ReadSuiteFile> {
  const answer = await runInThread<SuiteFileAnswer, SuiteFileAnswer>({
    program: new URL('./suite-file-worker.ts', import.meta.url),
    input,
    limits,
    take: (part) => part,
  });
  if ('result' in answer) {
    const { result } = answer;
    if ('findings' in result) return result;
    const { json, ...rest } = result;
    return { file: JSON.parse(json) as SuiteFile, ...rest };
  }
  if (answer.stopped === 'tooLong') {
    const message = `Reading the suite file took longer than ${limits.timeoutMs / 1000} seconds; split it.`;
    return refused('SUITE_FILE_TOO_LARGE', message);
  }
  if (answer.stopped === 'tooMuchMemory') {
    const message = 'The suite file takes too much memory to read; split it.';
    return refused('SUITE_FILE_TOO_LARGE', message);
  }
  throw new Error('The thread that reads a suite file stopped without an answer.', {
    cause: answer.cause,
  });
}
