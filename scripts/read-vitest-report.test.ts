import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readVitestReport } from './read-vitest-report.mjs';

const loaded = { status: 'failed', assertionResults: [{ status: 'failed' }] };
const unloaded = { status: 'failed', assertionResults: [] };

test.each([
  ['tests that passed and failed', [5, 2, [loaded]], 1, { passed: 5, failed: 2 }],
  ['a file that could not be loaded', [5, 0, [unloaded]], 1, { passed: 5, failed: 1 }],
  ['both together', [5, 1, [loaded, unloaded]], 1, { passed: 5, failed: 2 }],
  ['a run that ended badly though no test failed', [5, 0, []], 1, { passed: 5, failed: 1 }],
  ['a run that went well', [5, 0, []], 0, { passed: 5, failed: 0 }],
] as const)('counts %s', (_name, [passed, failed, results], exitCode, expected) => {
  const report = { numPassedTests: passed, numFailedTests: failed, testResults: results };
  expect(readReport(JSON.stringify(report), exitCode)).toEqual(expected);
});

test('counts a run that left half a report, or none, as failed', () => {
  expect(readReport('{ "numPassed', 0)).toEqual({ passed: 0, failed: 1 });
  expect(readVitestReport('no-such-report.json', 0)).toEqual({ passed: 0, failed: 1 });
});

function readReport(text: string, exitCode: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-report-'));
  try {
    writeFileSync(path.join(folder, 'report.json'), text);
    return readVitestReport(path.join(folder, 'report.json'), exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
