// Reads a report in a thread with limits. A few reports are read at a time; the others wait. The
// result is either the tests, or one sentence that describes the problem.
import { type ReportFormat, Semaphore } from '@proofmark/domain';
import { runInThread, type Stop, type ThreadLimits } from '../threads/run-in-thread.ts';
import { checkFirstBytes } from './decode.ts';
import { type Report, ReportProblem } from './report.ts';
import type { ReportPart } from './report-worker.ts';

const defaultLimits: ThreadLimits = { timeoutMs: 30_000, memoryMb: 256 };
const parsing = new Semaphore(2);

export async function parseReport(
  bytes: Uint8Array,
  format: ReportFormat,
  limits: ThreadLimits = defaultLimits,
): Promise<Report | { problem: string }> {
  try {
    checkFirstBytes(bytes, format);
  } catch (error) {
    if (error instanceof ReportProblem) return { problem: error.message };
    throw error;
  }
  return parsing.run('report', () => parseInThread(bytes, format, limits));
}

async function parseInThread(
  bytes: Uint8Array,
  format: ReportFormat,
  limits: ThreadLimits,
): Promise<Report | { problem: string }> {
  const copy = new Uint8Array(bytes);
  const tests: Report['tests'] = [];
  const answer = await runInThread<ReportPart, Report | { problem: string }>({
    program: new URL('./report-worker.ts', import.meta.url),
    input: { bytes: copy, format },
    transfer: [copy.buffer],
    limits,
    take(part) {
      if ('problem' in part) return part;
      for (const test of part.tests) tests.push(test);
      return part.done ? { tests, errors: part.errors ?? [] } : undefined;
    },
  });
  return 'result' in answer ? answer.result : { problem: stopSentence(answer.stopped, limits) };
}

function stopSentence(stopped: Stop, { timeoutMs }: ThreadLimits): string {
  if (stopped === 'tooLong') {
    return `Reading the report took longer than ${timeoutMs / 1000} seconds; send it in smaller parts.`;
  }
  return stopped === 'tooMuchMemory'
    ? 'The report takes too much memory to read; send it in smaller parts.'
    : 'The report could not be read: its reader stopped; send it in smaller parts.';
}
