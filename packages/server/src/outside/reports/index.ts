export { readReport } from './read-report.ts';
export { ReportProblem } from './report.ts';
export { type ReportResult, resultsOfReport } from './results-of-report.ts';
