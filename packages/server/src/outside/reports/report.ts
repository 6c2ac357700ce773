// The result of reading another tool's test report: one row for each test, and the errors outside
// any test. A file or module that could not be loaded ran no test, so it is an error of the report
// and no verdict on a case.
export interface ReportedTest {
  externalIterationId: string;
  caseTitle: string;
  status: 'completed' | 'skipped';
  passed?: boolean;
  durationMs?: number;
  error?: string;
}

/** An error outside any test, and its place, which may be empty. */
export interface ReportedError {
  place: string;
  message: string;
}

export interface Report {
  tests: ReportedTest[];
  errors: ReportedError[];
}

/** The report cannot be read; the message is one sentence for the sender. */
export class ReportProblem extends Error {}

export const reportLimits = {
  bytes: 32 * 1024 * 1024,
  tests: 300_000,
  depth: 100,
  attributes: 100,
  attributeLength: 1024 * 1024,
  titleLength: 1000,
  errorLength: 10_000,
  errors: 100,
} as const;
