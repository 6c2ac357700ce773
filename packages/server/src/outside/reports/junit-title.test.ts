import { describe, expect, it } from 'vitest';
import { readReport } from './read-report.ts';

const python = 'classname="C" file="m.py" line="3" timestamp="2026-11-15T12:00:00"';

describe('the title of a test', () => {
  it.each([
    ['test_days [late] (day=2)', 'C::test_days'],
    ['test_days [late]', 'C::test_days'],
    ['test_days []', 'C::test_days'],
    ['test_days (day=2)', 'C::test_days'],
    ['test_days ()', 'C::test_days'],
    ['test_days [a] b] ((c)', 'C::test_days'],
    ['test_days [', 'C::test_days ['],
    ['test_days (', 'C::test_days ('],
    ['test_days [late)', 'C::test_days [late)'],
    ['test_days [late](day=2)', 'C::test_days [late](day=2)'],
    ['test_days [late] day=2', 'C::test_days [late] day=2'],
    ['test_days late', 'C::test_days late'],
    ['test(days [late]', 'C::test(days [late]'],
    ['test&#9;days [late]', 'C::test\tdays [late]'],
    ['[late]', 'C::[late]'],
    [' [late]', 'C:: [late]'],
  ])('%s of unittest is %s', (name, title) => {
    expect(titlesOf(`<testsuite><testcase name="${name}" ${python}/></testsuite>`)).toEqual([
      title,
    ]);
  });

  it.each([
    [
      'names of suites',
      '<testsuite name="add"><testcase name="works" classname="test"/></testsuite>',
      'test::add > works',
    ],
    [
      'names of suites in suites',
      '<testsuite name="add"><testsuite name="a day"><testcase name="works" classname="test"/></testsuite></testsuite>',
      'test::add > a day > works',
    ],
    ['nothing outside suites', '<testcase name="works" classname="test"/>', 'test::works'],
    [
      'the file',
      '<testsuite name="add"><testcase name="works" classname="test" file="a.test.mjs"/></testsuite>',
      'a.test.mjs::add > works',
    ],
    [
      'the file outside suites',
      '<testcase name="works" classname="test" file="a.test.mjs"/>',
      'a.test.mjs::works',
    ],
    [
      'no suite where the class is another',
      '<testsuite name="add"><testcase name="works" classname="tests" file="a.mjs"/></testsuite>',
      'tests::works',
    ],
    [
      'no suite of pytest over a file test.py',
      '<testsuite name="pytest" timestamp="2026-11-15T12:00:00"><testcase name="works" classname="test" file="test.py"/></testsuite>',
      'test::works',
    ],
  ])('of node --test, whose class is always one word, has %s', (_what, cases, title) => {
    expect(titlesOf(`<testsuites>${cases}</testsuites>`)).toEqual([title]);
  });
});

describe('a name made to be slow to read is read', { timeout: 15_000 }, () => {
  it('of a subtest', () => {
    const name = `t [${'] ('.repeat(40_000)}`;
    const [title] = titlesOf(`<testsuite><testcase name="${name}" ${python}/></testsuite>`);
    expect(title).toMatch(/^C::t \[\] \(\] \(/);
  });

  it('of a file', () => {
    const name = `${'.'.repeat(120_000)} `;
    const failing = `<testcase name="${name}" classname="${name}"><failure/></testcase>`;
    expect(titlesOf(`<testsuite name="${name}">${failing}</testsuite>`)).toHaveLength(1);
  });

  it('of a suite around many tests', () => {
    const cases = '<testcase name="works" classname="test"/>'.repeat(5000);
    const titles = titlesOf(`<testsuite name="${'n'.repeat(1_000_000)}">${cases}</testsuite>`);
    expect(titles).toHaveLength(5000);
  });
});

function titlesOf(text: string): string[] {
  const { tests } = readReport(new TextEncoder().encode(text), 'junit-xml');
  return tests.map((test) => test.caseTitle);
}
