// The result of reading another tool's test report: one entry for each test, and the errors outside
// of any test. In a file or module that could not be loaded no test ran, so it is an error of the
// report and no verdict on a case.
export interface ReportedTest {
  externalIterationId: string;
  caseTitle: string;
  status: 'completed' | 'skipped';
  passed?: boolean;
  durationMs?: number;
  error?: string;
}

/** An error outside of any test. `place` names its file, class or module, and may be empty. */
export interface ReportedError {
  place: string;
  message: string;
}

export interface Report {
  tests: ReportedTest[];
  errors: ReportedError[];
}

/**
 * Thrown if the report cannot be read. The message is one sentence, shown to the sender of the
 * report.
 */
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
