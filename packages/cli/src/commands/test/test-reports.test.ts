import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  makeReportFolders,
  readSuiteAfterJson,
  refuseReports,
  takesOutput,
  wantsReports,
} from './test-reports.ts';

test.each<[string, Parameters<typeof refuseReports>[0], RegExp]>([
  ['a watched test', { json: 'a.json', watch: true }, /^--watch writes no reports; remove --json/],
  ['a file that is named like a suite', { json: 'a.suite.yaml' }, /named like a suite/],
  ['a suite in JSON', { json: 'a.suite.json' }, /named like a suite/],
])('%s is refused', (_title, flags, message) => {
  expect(() => refuseReports(flags)).toThrow(message);
});

test('a suite after --json is a suite, since --json needs no file', () => {
  expect(readSuiteAfterJson(['b.yaml'], { json: 'a.suite.yaml' })).toEqual({
    named: ['a.suite.yaml', 'b.yaml'],
    flags: { json: true },
  });
  const flags = { json: 'a.json' } as const;
  expect(readSuiteAfterJson([], flags)).toEqual({ named: [], flags });
});

test('a file leaves standard output to the readout', () => {
  expect(takesOutput({ json: 'a.json' })).toBe(false);
  expect(takesOutput({ json: '-' })).toBe(true);
  expect(takesOutput({ json: true })).toBe(true);
  expect(wantsReports({})).toBe(false);
  expect(wantsReports({ json: 'a.json' })).toBe(true);
  expect(() => refuseReports({ json: 'out/a.json' })).not.toThrow();
});

test.each<[string, Parameters<typeof refuseReports>[0], RegExp]>([
  ['two reports on standard output', { html: '-', sarif: '-' }, /not --html and --sarif/],
  ['JSON lines beside a report there', { json: true, junit: '-' }, /not --json and --junit/],
  ['one file for two reports', { html: 'a/../x', junit: 'x' }, /--html and --junit name the same/],
])('%s are refused', (_title, flags, message) => {
  expect(() => refuseReports(flags)).toThrow(message);
});

test('a suite in a file of another name is no destination, a report of before is', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'reports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const suite = path.join(folder, 'shop.json');
  writeFileSync(suite, JSON.stringify({ schemaVersion: '1', suite: { name: 'Shop' }, cases: [] }));
  expect(() => refuseReports({ html: suite })).toThrow(/shop\.json, which is a suite/);
  expect(readSuiteAfterJson([], { json: suite })).toEqual({
    named: [suite],
    flags: { json: true },
  });
  const report = path.join(folder, 'report.json');
  writeFileSync(report, JSON.stringify({ format: 'proofmark-test', version: 1, suites: [] }));
  expect(() => refuseReports({ json: report })).not.toThrow();
  mkdirSync(path.join(folder, 'proofmark'));
  const own = path.join(folder, 'proofmark', 'new.json');
  expect(() => refuseReports({ json: own })).toThrow(/named like a suite/);
});

test.skipIf(process.platform !== 'linux')('a folder that cannot be made is told at once', () => {
  expect(() => makeReportFolders(['/proc/none/deeper/a.html'])).toThrow(
    /cannot be made \(ENOENT\)/,
  );
});
