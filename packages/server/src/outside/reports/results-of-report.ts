// Converts a report to uploaded results. An error outside of any test becomes a trial with the
// status `setup_failed`: it decides no case, but the run does not count as complete. Its title
// leaves out the message, so that the next run has the same title.
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

/** The slash prevents collisions, because ids of tests contain none. */
function stoppedInSetup({ place, message }: ReportedError, index: number): ReportResult {
  return {
    caseTitle: place || 'outside any test',
    externalIterationId: `error/${index}`,
    status: 'setup_failed',
    error: message || 'The test code could not be loaded, and the report gives no reason.',
  };
}
