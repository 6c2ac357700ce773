import { expect, test } from 'vitest';
import { readSuiteAfterJson, refuseReports, takesOutput, wantsReports } from './test-reports.ts';

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
