// A report as results, as a reporter would have sent them. What went wrong outside any test becomes a trial that stopped
// in set-up: it judges no case, and yet the run is not taken for complete. Its title is where it happened and leaves the
// message out, so that it is the same case in the next run.
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

/** Ids of tests hold no slash. */
function stoppedInSetup({ place, message }: ReportedError, index: number): ReportResult {
  return {
    caseTitle: place || 'outside any test',
    externalIterationId: `error/${index}`,
    status: 'setup_failed',
    error: message || 'It could not be loaded, and the report has no reason.',
  };
}
