// The thread that reads a report. It posts a few tests at a time, each time on request, because
// receiving many tests in one message would block the requesting thread.
import { parentPort, workerData } from 'node:worker_threads';
import type { ReportFormat } from '@proofmark/domain';
import { threadReady } from '../threads/thread-ready.ts';
import { readReport } from './read-report.ts';
import { type Report, type ReportedError, type ReportedTest, ReportProblem } from './report.ts';

export type ReportPart =
  | { problem: string }
  | { tests: ReportedTest[]; errors?: ReportedError[]; done: boolean };

const testsPerPart = 500;
const port = parentPort;
if (port) {
  let report: Report | undefined;
  let sent = 0;
  port.on('message', () => port.postMessage(nextPart()));
  port.postMessage(threadReady);

  function nextPart(): ReportPart {
    try {
      const { bytes, format } = workerData as { bytes: Uint8Array; format: ReportFormat };
      report ??= readReport(bytes, format);
    } catch (error) {
      if (error instanceof ReportProblem) return { problem: error.message };
      throw error;
    }
    const tests = report.tests.slice(sent, sent + testsPerPart);
    sent += tests.length;
    return sent < report.tests.length
      ? { tests, done: false }
      : { tests, errors: report.errors, done: true };
  }
}
