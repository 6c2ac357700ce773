/**
 * Reads report files of every producer. Every test with its outcome and title, and every error
 * outside of tests, must equal expected.txt. Samples are genuine where the producer was available;
 * README.md documents the origin of each.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { ReportFormat } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../packages/server/src/outside/reports/read-report.ts';
import { type Report, ReportProblem } from '../../packages/server/src/outside/reports/report.ts';

const folder = new URL('./', import.meta.url);
const expected = readExpected();
const samples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(new URL(`${name}/`, folder)).map((file) => `${name}/${file}`));

describe('a file of each producer', () => {
  it.each(samples)('%s', (sample) => {
    expect(linesOf(sample)).toEqual(expected.get(sample));
  });

  it('every expected sample is there', () => {
    expect([...expected.keys()].sort()).toEqual([...samples].sort());
  });
});

// Entries that a producer writes only into a failing file: for a hook, or in place of a file's
// tests.
const onlyInRed: Record<string, string[]> = {
  'gotestsum/red.xml': ['TestMain'],
  'gradle/red.xml': ['org.example.HooksTest::classMethod'],
  'mocha-junit-reporter/red.xml': [
    '"before all" hook: start the server for "first"::hooks "before all" hook: start the server for "first"',
  ],
  'node-test/red.xml': ['test::/project/broken.test.mjs'],
  'phpunit/red.xml': ['Error'],
  'vitest/red.xml': ['weather.test.mjs::hooks'],
};

describe('the same test has the same title in a green file and in a red one', () => {
  const pairs = samples.filter(
    (sample) => sample.endsWith('red.xml') && samples.includes(greenOf(sample)),
  );

  it.each(pairs)('%s', (red) => {
    const known = new Set(read(greenOf(red)).tests.map((test) => test.caseTitle));
    const unknown = read(red).tests.filter(({ caseTitle }) => !known.has(caseTitle));
    expect(unknown.map(({ caseTitle }) => caseTitle)).toEqual(onlyInRed[red] ?? []);
  });

  it('of every producer that has both', () => expect(pairs.length).toBeGreaterThanOrEqual(17));
});

describe('the reason that was reported', () => {
  it.each<[string, string, string | RegExp]>([
    ['in a text without a message', 'jest-junit/red.xml', /^Error: expect\(received\)\.toBe\(/],
    ['in CDATA that repeats the message', 'mocha-junit-reporter/red.xml', /^Error: top failed\n/],
    [
      'in a message with a text behind it',
      'dotnet/red.xml',
      /^Assert\.Equal\(\) [\s\S]*"sunny"\s+at Weather/,
    ],
    [
      'in a message with other line ends than the text',
      'rspec/red.xml',
      /^Failure\/Error: it\('knows Rome'\)/,
    ],
    ['under a type that says nothing', 'bats/red.xml', /^\(in test file \.\/weather\.bats, line 1/],
    ['in nothing but the output, of CTest', 'ctest/red.xml', 'sunny'],
    [
      'in colours',
      'jest/colours.json',
      /^Error: expect\(received\)\.toBe\(expected\) \/\/ Object\.is equality\n\nExpected: "rain"\n/,
    ],
  ])('%s: %s', (_where, sample, reason) => {
    const error = read(sample).tests.find((test) => test.passed === false)?.error;
    if (typeof reason === 'string') expect(error).toBe(reason);
    else expect(error).toMatch(reason);
  });

  it('for a step that nobody wrote, of Cucumber', () => {
    const test = read('cucumber/red.xml').tests.find(({ caseTitle }) =>
      caseTitle.endsWith('nobody wrote'),
    );
    expect(test?.error).toMatch(/^Given a step that nobody wrote\.+undefined$/);
  });

  it('for each failing subtest, of unittest, at their one test', () => {
    const days = read('unittest/red.xml').tests.filter((test) =>
      test.caseTitle.includes('test_days'),
    );
    expect(days).toHaveLength(1);
    expect(days[0]?.error?.match(/AssertionError: True is not false/g)).toHaveLength(2);
  });

  it('for a test that CTest could not start, under the title it has when it runs', () => {
    const known = read('ctest/green.xml').tests.map(({ caseTitle }) => caseTitle);
    const { errors } = read('ctest/red.xml');
    expect(errors).toContainEqual({
      place: 'needs_server::needs_server',
      message: 'Fixture dependency failed\nFailed test dependencies: start_server',
    });
    expect(known).toEqual(expect.arrayContaining(errors.map(({ place }) => place)));
  });

  it('for a file that Jest could not run, told twice, once', () => {
    const { errors } = read('jest-junit/suite-errors.xml');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/^● Test suite failed to run\n[\s\S]*MODULE_NOT_FOUND/);
  });
});

function read(sample: string): Report {
  return readReport(readFileSync(new URL(sample, folder)), formatOf(sample));
}

function formatOf(sample: string): ReportFormat {
  if (sample.endsWith('.xml')) return 'junit-xml';
  return sample.startsWith('jest/') ? 'jest-json' : 'vitest-json';
}

function greenOf(red: string): string {
  return red.replace(/red\.xml$/, 'green.xml');
}

function linesOf(sample: string): string[] {
  try {
    const { tests, errors } = read(sample);
    return [
      ...tests.map(({ passed, caseTitle }) => `${outcomeOf(passed)} ${caseTitle}`),
      ...errors.map(({ place }) => `stopped ${place || 'outside any test'}`),
    ];
  } catch (error) {
    if (error instanceof ReportProblem) return [`refused ${error.message}`];
    throw error;
  }
}

function outcomeOf(passed: boolean | undefined): string {
  return passed === undefined ? 'skipped' : passed ? 'passed' : 'failed';
}

/**
 * Reads the expected results. A line without an outcome is the name of a sample; the results after
 * it belong to that sample.
 */
function readExpected(): Map<string, string[]> {
  const listed = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(new URL('expected.txt', folder), 'utf8').split('\n')) {
    if (/^(?:passed|failed|skipped|stopped|refused) /.test(line)) lines.push(line);
    else if (line !== '') {
      lines = [];
      listed.set(line, lines);
    }
  }
  return listed;
}
