// Converts a report to the results that a reporter would have sent. An error outside of any test
// becomes a trial that stopped in set-up: it gives no verdict on a case, but keeps the run from
// counting as complete. Its title is the error's file, class or module without the message, so that
// the next run has the same case.
import type { Report, ReportedError } from './report.ts';

export type ReportResult = {
  readonly caseTitle: string;
  readonly externalIterationId: string;
  readonly status: 'completed' | 'skipped' | 'setup_failed';
  readonly passed?: boolean;
  readonly durationMs?: number;
  readonly error?: string;
};

export function resultsOfReport({ tests, errors }: Report): ReportResult[] {
  return [...tests, ...errors.map(stoppedInSetup)];
}

/** The id contains a slash, which the ids of tests never do, so the two cannot collide. */
function stoppedInSetup({ place, message }: ReportedError, index: number): ReportResult {
  return {
    caseTitle: place || 'outside any test',
    externalIterationId: `error/${index}`,
    status: 'setup_failed',
    error: message || 'The test code could not be loaded, and the report gives no reason.',
  };
}
