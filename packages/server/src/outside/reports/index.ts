// The exports for the command line, which reads local reports itself, just as the service reads
// uploaded ones.
export { readReport } from './read-report.ts';
export { ReportProblem } from './report.ts';
export { type ReportResult, resultsOfReport } from './results-of-report.ts';
