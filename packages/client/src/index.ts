export * from './api-client.ts';
export * from './client-options.ts';
export * from './errors.ts';
export * from './read-pages.ts';
export * from './report-results.ts';
export * from './send-report.ts';
export type { Progress } from './watch-request.ts';
