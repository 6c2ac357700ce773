// Counts what vitest's JSON report says. A file that could not be loaded counts as one failure, and
// so does a run that ended badly although no test in its report failed, or that left no report.
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
