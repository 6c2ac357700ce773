// The exports for the command, which reads local reports itself, as the service does with uploads.
export { readReport } from './read-report.ts';
export { ReportProblem } from './report.ts';
export { type ReportResult, resultsOfReport } from './results-of-report.ts';
