// Converts a report to results, as a reporter would have sent them. An error outside any test
// becomes a trial that stopped in set-up: it judges no case, but the run does not count as
// complete. Its title is the place without the message, so that it is the same case in the next
// run.
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

/** The ids of tests contain no slash. */
function stoppedInSetup({ place, message }: ReportedError, index: number): ReportResult {
  return {
    caseTitle: place || 'outside any test',
    externalIterationId: `error/${index}`,
    status: 'setup_failed',
    error: message || 'The test code could not be loaded, and the report gives no reason.',
  };
}
