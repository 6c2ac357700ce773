import type { ReportFormat } from '@proofmark/domain';
import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonReader } from './json-reader.ts';
import { readReport } from './read-report.ts';

describe('Jest and Vitest JSON', () => {
  it.each([
    ['passed', { status: 'completed', passed: true }],
    ['failed', { status: 'completed', passed: false, error: 'one\ntwo' }],
    ['skipped', { status: 'skipped' }],
    ['pending', { status: 'skipped' }],
    ['todo', { status: 'skipped' }],
    ['disabled', { status: 'skipped' }],
  ])('a test with the status %s', (status, expected) => {
    const test = {
      status,
      ancestorTitles: ['a', 'b'],
      title: 'c',
      duration: 1.6,
      failureMessages: ['one', 'two'],
    };
    const report = read({ testResults: [{ name: 'f', assertionResults: [test] }] }, 'jest-json');
    expect(report).toEqual({
      tests: [{ externalIterationId: 'a_b_c-0', caseTitle: 'a b c', durationMs: 2, ...expected }],
      errors: [],
    });
  });

  it('takes a status nobody knows and a file that failed outside its tests for errors of the report', () => {
    const passed = { status: 'passed', fullName: 'fine' };
    const report = read(
      {
        testResults: [
          { name: 'a', status: 'failed', message: 'no such module', assertionResults: [] },
          { name: 'b', status: 'failed', message: '', assertionResults: [passed] },
          {
            name: 'c',
            status: 'passed',
            assertionResults: [{ status: 'focused', fullName: 'odd' }],
          },
        ],
      },
      'jest-json',
    );
    expect(report.tests.map((test) => test.caseTitle)).toEqual(['fine']);
    expect(report.errors).toEqual([
      { place: 'a', message: 'no such module' },
      { place: 'b', message: 'the file failed outside its tests' },
      { place: 'odd', message: 'the status "focused" is not known' },
    ]);
  });

  it.each([
    ['names nothing that failed', 'passed', 1],
    ['names what failed', 'failed', 0],
  ])('a run that did not succeed and %s', (_what, status, errors) => {
    const testResults = [{ name: 'f', assertionResults: [{ status, fullName: 't' }] }];
    expect(read({ success: false, testResults }, 'jest-json').errors).toHaveLength(errors);
    expect(read({ testResults, success: false }, 'vitest-json').errors).toHaveLength(errors);
    expect(read({ success: true, testResults }, 'jest-json').errors).toEqual([]);
  });

  it("reads Vitest's own tree of tasks", () => {
    const error = { message: 'wrong', stack: 'Error: wrong\n at x' };
    const report = read(
      {
        files: [
          {
            tasks: [
              { type: 'test', name: 'top', mode: 'run', result: { state: 'pass', duration: 3.2 } },
              {
                type: 'suite',
                tasks: [
                  {
                    type: 'test',
                    name: 'bad',
                    mode: 'run',
                    result: { state: 'fail', errors: [error] },
                  },
                  { type: 'test', name: 'off', mode: 'skip' },
                  { type: 'test', name: 'later', mode: 'todo' },
                  { type: 'test', name: 'never', mode: 'run' },
                ],
                name: 'group',
                result: { state: 'fail' },
              },
              {
                type: 'suite',
                name: 'hooks',
                result: { state: 'fail', errors: [{ message: 'beforeAll threw' }] },
                tasks: [{ type: 'test', name: 'waits', mode: 'run' }],
              },
            ],
            name: 'a.test.ts',
            result: { state: 'fail' },
          },
          {
            name: 'b.test.ts',
            tasks: [],
            result: { state: 'fail', errors: [{ message: 'no module' }] },
          },
        ],
      },
      'vitest-json',
    );
    expect(
      report.tests.map(({ caseTitle, status, passed }) => [caseTitle, status, passed]),
    ).toEqual([
      ['top', 'completed', true],
      ['group bad', 'completed', false],
      ['group off', 'skipped', undefined],
      ['group later', 'skipped', undefined],
      ['group never', 'skipped', undefined],
      ['hooks waits', 'skipped', undefined],
    ]);
    expect(report.tests[0]?.durationMs).toBe(3);
    expect(report.tests[1]?.error).toBe('Error: wrong\n at x');
    expect(report.errors).toEqual([
      { place: 'hooks', message: 'beforeAll threw' },
      { place: 'b.test.ts', message: 'no module' },
    ]);
  });

  it('stops at more tasks than a report may hold', () => {
    const text = `{"files":[{"tasks":[${'{},'.repeat(300_000)}{}]}]}`;
    expect(() => readReport(new TextEncoder().encode(text), 'vitest-json')).toThrow(
      'The report holds more than 300,000 tasks; send it in parts.',
    );
  });

  it('makes text storable and cuts it', () => {
    const test = {
      status: 'failed',
      fullName: `a\u0000b\ud800${'x'.repeat(2000)}`,
      failureMessages: ['e'.repeat(20_000)],
    };
    const report = read({ testResults: [{ assertionResults: [test] }] }, 'jest-json');
    expect(report.tests[0]?.caseTitle).toMatch(/^a\ufffdb\ufffdx+…$/);
    expect(report.tests[0]?.caseTitle).toHaveLength(1000);
    expect(report.tests[0]?.error).toHaveLength(10_000);
    expect(report.tests[0]?.externalIterationId).toMatch(/^a_b_x+-0$/);
  });

  it('is not fooled by the name of a member', () => {
    const text =
      '{"__proto__":{"testResults":1},"constructor":[],"testResults":[{"assertionResults":[{"status":"passed","title":"t"}]}]}';
    expect(readReport(new TextEncoder().encode(text), 'jest-json').tests).toHaveLength(1);
    expect(({} as Record<string, unknown>).testResults).toBeUndefined();
  });

  it.each<[string, ReportFormat, string]>([
    [
      '{"testResults":[]}',
      'jest-json',
      'The report contains no tests; check that the runner found some.',
    ],
    [
      '{"success":false,"testResults":[]}',
      'jest-json',
      'The report contains no tests; check that the runner found some.',
    ],
    ['[]', 'jest-json', 'The JSON is a list, but a report must be an object.'],
    ['{}', 'jest-json', 'The JSON has no field testResults, so it is not a Jest report.'],
    ['{"files":[]}', 'jest-json', 'The JSON has no field testResults, so it is not a Jest report.'],
    [
      '{"a":1}',
      'vitest-json',
      'The JSON has neither testResults nor files, so it is not a Vitest report.',
    ],
    ['{"testResults":3}', 'vitest-json', 'The field testResults is not a list of test files.'],
    [
      '{"testResults":[',
      'jest-json',
      'The file is not valid JSON: it ends too early at character 17.',
    ],
    [
      '{"testResults":[]} x',
      'jest-json',
      'The file is not valid JSON: unexpected "x" at character 20.',
    ],
    [`{"a":${'['.repeat(100_000)}`, 'jest-json', 'Values are nested more than 100 deep.'],
  ])('refuses bad document %# of $1 and says: $2', (text, format, problem) => {
    expect(() => readReport(new TextEncoder().encode(text), format)).toThrow(problem);
  });
});

describe('the JSON reader', { timeout: 60_000 }, () => {
  it('steps over whatever JSON.parse can read, and refuses nothing else that it could', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (text, at, change) => {
        const cut = at % (text.length + 1);
        for (const candidate of [text, text.slice(0, cut) + change + text.slice(cut + 1)]) {
          if (isJson(candidate)) expect(skips(candidate), candidate).toBe(true);
        }
      }),
      runsOf(1000),
    );
  });

  it('reads the strings and numbers that JSON.parse reads', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
          ),
        ),
        (values) => {
          const reader = new JsonReader(JSON.stringify(values, undefined, 1));
          const read: unknown[] = [];
          reader.array(() => read.push(reader.peek() === '"' ? reader.string() : reader.number()));
          expect(read).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it.each([
    '',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    '01',
    '1.',
    'tru',
    'nullx',
    '"a',
    "'a'",
    '[1 2]',
    '{"a":1,}',
    '[}',
  ])('refuses %s', (text) => expect(skips(text)).toBe(false));
});

function read(value: object, format: ReportFormat) {
  return readReport(new TextEncoder().encode(JSON.stringify(value)), format);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function skips(text: string): boolean {
  try {
    const reader = new JsonReader(text);
    reader.skip();
    reader.end();
    return true;
  } catch {
    return false;
  }
}
