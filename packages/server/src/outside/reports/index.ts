// What the command needs of this folder: it reads reports itself, where they lie, as the service does with uploads.
export { readReport } from './read-report.ts';
export { ReportProblem } from './report.ts';
export { type ReportResult, resultsOfReport } from './results-of-report.ts';
