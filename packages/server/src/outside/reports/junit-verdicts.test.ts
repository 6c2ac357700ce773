import { describe, expect, it } from 'vitest';
import { readReport } from './read-report.ts';
import type { Report } from './report.ts';

describe('a test case of JUnit XML', () => {
  it.each([
    [
      'pytest',
      '<testcase classname="" name="test_x"><error message="collection failure">E</error></testcase>',
      'test_x',
    ],
    [
      'pytest itself',
      '<testcase classname="pytest" name="internal"><error message="internal error">E</error></testcase>',
      'pytest::internal',
    ],
    [
      'Vitest',
      '<testsuite name="a.test.ts"><testcase classname="a.test.ts" name="a.test.ts"><failure/></testcase></testsuite>',
      'a.test.ts',
    ],
    [
      'Vitest on Windows',
      '<testsuite name="a\\b"><testcase classname="a\\b" name="a\\b"><failure/></testcase></testsuite>',
      'a\\b',
    ],
    ['Surefire 3', '<testcase classname="a.B" name=""><error message="x"/></testcase>', 'a.B'],
    ['nobody named', '<testcase name=" "><error message="x"/></testcase>', 's'],
    [
      'JUnit 4',
      '<testcase classname="a.B" name="initializationError"><failure/></testcase>',
      'a.B::initializationError',
    ],
    [
      'Go',
      '<testcase classname="p" name="[build failed]"><error/></testcase>',
      'p::[build failed]',
    ],
    [
      'Go too',
      '<testcase classname="p" name="[setup failed]"><error/></testcase>',
      'p::[setup failed]',
    ],
    [
      'bats',
      '<testcase classname="a.bats" name="bats-gather-tests"><failure/></testcase>',
      'a.bats::bats-gather-tests',
    ],
    [
      'unittest',
      '<testcase classname="unittest.loader._FailedTest" name="m"><error>E</error></testcase>',
      'm',
    ],
    [
      'unittest around a class',
      '<testsuite name="unittest.suite._ErrorHolder-20261115120000"><testcase classname="" name="setUpClass (m.C)"><error/></testcase></testsuite>',
      'setUpClass (m.C)',
    ],
    [
      'jest-junit',
      '<testcase classname="Test suite failed to run" name="a.test.js"><error>E</error></testcase>',
      'a.test.js',
    ],
    [
      'Jest',
      '<testcase classname="s" name="s x"><failure>  ● Test suite failed to run</failure></testcase>',
      's x',
    ],
    [
      'Vitest, with an empty suite behind it',
      '<testsuite name="a.js"><testcase classname="a.js" name="a.js"><failure/></testcase><testsuite name="b"/></testsuite>',
      'a.js',
    ],
    ['a suite', '<error message="could not start"/>', 's'],
  ])('keeps what %s could not load out of the tests', (_name, element, place) => {
    const { tests, errors } = read(
      `<testsuite name="s"><testcase name="fine"/>${element}</testsuite>`,
    );
    expect(tests.map((test) => test.caseTitle)).toEqual(['fine']);
    expect(errors.map((error) => error.place)).toEqual([place]);
  });

  it.each([
    ['name and class are one text', 'knows Rome', 'knows Rome', 'knows Rome', ''],
    ['name and class are one path in a suite of another name', 'a.b', 'a.b', 's', ''],
    ['it is not alone in its suite', 'a.b', 'a.b', 'a.b', '<testcase name="fine"/>'],
    [
      'a suite inside its suite has another',
      'a.b',
      'a.b',
      'a.b',
      '<testsuite><testcase name="fine"/></testsuite>',
    ],
    [
      'an empty suite stands between it and another',
      'a.b',
      'a.b',
      'a.b',
      '<testsuite name="c"/><testcase name="fine"/><testsuite name="d"/>',
    ],
    ['all three are one word that is no path', 'rome', 'rome', 'rome', ''],
    ['all three are one path with white space', 'a b.js', 'a b.js', 'a b.js', ''],
    ['its name speaks of a suite that failed', 'Test suite failed to run', 'a', 's', ''],
    ['its name holds a mark', 'tells [build failed]', 'a', 's', ''],
  ])('a failing test is a test where %s', (_why, name, className, suite, other) => {
    const failing = `<testcase name="${name}" classname="${className}"><failure message="Test suite failed to run"/></testcase>`;
    for (const cases of [failing + other, other + failing]) {
      const { tests, errors } = read(`<testsuite name="${suite}">${cases}</testsuite>`);
      expect(errors).toEqual([]);
      expect(tests.filter((test) => test.passed === false)).toMatchObject([
        { caseTitle: `${className}::${name}` },
      ]);
    }
  });

  it('keeps the order of the tests also where one could have been a file', () => {
    const { tests } = read(
      '<testsuite name="a.b"><testcase name="a.b" classname="a.b"><failure/></testcase><testcase name="c"/></testsuite>',
    );
    expect(tests.map((test) => test.caseTitle)).toEqual(['a.b::a.b', 'c']);
  });

  it.each([
    [
      'gotestsum, in its header',
      '<testsuites errors="1"><testsuite><testcase name="t"/></testsuite></testsuites>',
    ],
    ['a suite, in its header', '<testsuite failures="2"><testcase name="t"/></testsuite>'],
    ['node --test, in a comment', '<testsuites><testcase name="t"/><!-- fail 1 --></testsuites>'],
    [
      'node --test, of what was cancelled',
      '<testsuites><testcase name="t"/><!-- cancelled 3 --></testsuites>',
    ],
    [
      'node --test, beside a failing test that is to be written',
      '<testsuites><testcase name="t"/><testcase name="l"><failure/><skipped type="todo"/></testcase><!-- fail 1 --></testsuites>',
    ],
    [
      'a header of all suites, beside an earlier try',
      '<testsuites errors="1"><testsuite><testcase name="t"><flakyFailure/></testcase></testsuite></testsuites>',
    ],
    [
      'a header of one suite, beside an earlier try in another',
      '<testsuites><testsuite failures="1"><testcase name="t"/></testsuite><testsuite><testcase name="u"><rerunError/></testcase></testsuite></testsuites>',
    ],
  ])('a file is not green that counts failures and names none: %s', (_who, text) => {
    expect(read(text).errors).toEqual([
      { place: '', message: 'The file counts failures or errors but names none of them.' },
    ]);
  });

  it.each([
    ['zero', '<testsuite failures="0" errors="0"><testcase name="t"/></testsuite>'],
    [
      'a comment on something else',
      '<testsuite><testcase name="t"/><!-- fail 1 of 2 --></testsuite>',
    ],
    [
      'earlier tries',
      '<testsuite failures="1"><testcase name="t"><flakyFailure/></testcase></testsuite>',
    ],
    [
      'a test that is to be written',
      '<testsuite failures="1"><testcase name="t"/><testcase name="l"><skipped type="todo"/><failure/></testcase></testsuite>',
    ],
    [
      'an earlier try in a suite inside',
      '<testsuite failures="1"><testsuite failures="1"><testcase name="t"><flakyError/></testcase></testsuite><testcase name="u"/></testsuite>',
    ],
  ])('a count is explained by %s', (_what, text) => {
    const { tests, errors } = read(text);
    expect(errors).toEqual([]);
    expect(tests.some((test) => test.passed === false)).toBe(false);
  });

  it.each([
    [
      'a test that failed',
      '<testsuites failures="9"><testsuite failures="9"><testcase name="t" status="failed"/></testsuite><testsuite failures="1"/><!-- fail 9 --></testsuites>',
      'failed',
    ],
    [
      'what could not be loaded',
      '<testsuites errors="9"><testsuite name="s"><error/></testsuite><!-- fail 9 --></testsuites>',
      's',
    ],
  ])('every count is explained by %s', (_what, text, expected) => {
    const { tests, errors } = read(text);
    expect([...tests.map(() => 'failed'), ...errors.map(({ place }) => place)]).toEqual([expected]);
  });

  it('a file that holds only errors is a report', () => {
    expect(
      read(
        '<testsuite><testcase name="" classname="m"><error message="no module"/></testcase></testsuite>',
      ),
    ).toEqual({
      tests: [],
      errors: [{ place: 'm', message: 'no module' }],
    });
    expect(read('<testsuites tests="0" errors="1"/>').errors).toHaveLength(1);
  });

  it('takes off its title only what unittest and bats add to a failing test', () => {
    const python = 'file="m.py" line="3" timestamp="2026-11-15T12:00:00"';
    const { tests } = read(`<testsuite>
      <testcase classname="m.C" name="test_days [late] (day=2)" ${python}><failure message="2"/></testcase>
      <testcase classname="m.C" name="test_days (day=3)" ${python}><failure message="3"/></testcase>
      <testcase classname="m.C" name="day (day=2)"><failure message="kept"/></testcase>
      <testcase classname="a.bats" name="begin 4 knows Rome"/>
      <testcase classname="a.rb" name="begin 4 knows Rome"/></testsuite>`);
    expect(tests.map((test) => [test.caseTitle, test.error])).toEqual([
      ['m.C::test_days', '2\n3'],
      ['m.C::day (day=2)', 'kept'],
      ['a.bats::knows Rome', undefined],
      ['a.rb::begin 4 knows Rome', undefined],
    ]);
  });
});

function read(text: string): Report {
  return readReport(new TextEncoder().encode(text), 'junit-xml');
}
