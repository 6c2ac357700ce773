// Counts the tests in vitest's JSON report. A file that could not be loaded counts as one failure.
// So does a run that ended with an error although its report has no failure, and a run without a
// report.
import { readFileSync } from 'node:fs';

/** @returns {{ passed: number, failed: number }} */
export function readVitestReport(file, exitCode) {
  const report = parse(file);
  if (report === undefined) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + unloaded;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
  };
}

function parse(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
