import { describe, expect, it } from 'vitest';
import { readReport } from './read-report.ts';
import type { Report, ReportedTest } from './report.ts';

describe('JUnit XML of any producer', () => {
  it('names a test by its class and itself, with entities and CDATA decoded, in nested suites', () => {
    const { tests } =
      read(`<?xml version="1.0"?><testsuites><testsuite name="a"><testsuite name="b">
      <testcase classname="x.y" name="&lt;add&gt; &amp; &#252; &#x2713;" time="1.2345"/>
      <testcase name="no class" time="1,234.5"><failure type="T"><![CDATA[a < b]]> &amp; c</failure></testcase>
    </testsuite></testsuite></testsuites>`);
    expect(tests).toEqual([
      {
        externalIterationId: 'x.y::_add_______-0',
        caseTitle: 'x.y::<add> & ü ✓',
        status: 'completed',
        passed: true,
        durationMs: 1235,
      },
      {
        externalIterationId: 'no_class-1',
        caseTitle: 'no class',
        status: 'completed',
        passed: false,
        durationMs: 1_234_500,
        error: 'T\na < b & c',
      },
    ]);
  });

  it.each<[string, string, Partial<ReportedTest>]>([
    ['an empty case passed', '<testcase name="t"/>', { status: 'completed', passed: true }],
    [
      'failure',
      '<testcase name="t"><failure message="m"/></testcase>',
      { passed: false, error: 'm' },
    ],
    ['error', '<testcase name="t"><error>e</error></testcase>', { passed: false, error: 'e' }],
    [
      'the message is not repeated when the text has it',
      '<testcase name="t"><failure message="m">E: m at 1</failure></testcase>',
      { error: 'E: m at 1' },
    ],
    ['skipped has no result', '<testcase name="t"><skipped/></testcase>', { status: 'skipped' }],
    [
      'GoogleTest disabled',
      '<testcase name="t" status="notrun" result="suppressed"/>',
      { status: 'skipped' },
    ],
    [
      'GoogleTest disabled, with a reason',
      '<testcase name="t" status="notrun" result="suppressed"><skipped message="later"/></testcase>',
      { status: 'skipped' },
    ],
    [
      'CTest: skipped by what it printed',
      '<testcase name="t" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>',
      { status: 'skipped' },
    ],
    [
      'not run, and nobody says why',
      '<testcase name="t" status="notrun"><skipped/></testcase>',
      { status: 'skipped' },
    ],
    [
      'skipped with a reason of its own',
      '<testcase name="t"><skipped message="Unable to find executable"/></testcase>',
      { status: 'skipped' },
    ],
    ['a status that says failed', '<testcase name="t" status="fail"/>', { passed: false }],
    [
      'Surefire: flaky, passed in the end',
      '<testcase name="t"><flakyFailure message="m"><stackTrace>s</stackTrace></flakyFailure><flakyError/></testcase>',
      { status: 'completed', passed: true },
    ],
    [
      'Surefire: failed each time',
      '<testcase name="t"><failure message="m"/><rerunFailure message="n"/></testcase>',
      { passed: false, error: 'm' },
    ],
    [
      'the message is not repeated in other colours and line ends',
      '<testcase name="t"><failure message="a b">\u001b[31mError:\u001b[39m a\n\u001b[31mb\u001b[39m</failure></testcase>',
      { error: 'Error: a\nb' },
    ],
    [
      'a failure that says nothing, and the end of what was printed',
      `<testcase name="t"><failure message=""/><system-out>${'x'.repeat(3000)}</system-out><system-err>no rain</system-err></testcase>`,
      { passed: false, error: `${'x'.repeat(1993)}no rain` },
    ],
    [
      'PHPUnit: a warning in place of a test',
      '<testcase name="Warning"><warning>No tests found</warning></testcase>',
      { status: 'skipped' },
    ],
    [
      'PHPUnit: a test that warned',
      '<testcase name="t" classname="C"><warning>w</warning></testcase>',
      { passed: true },
    ],
    [
      'output that looks like a verdict',
      '<testcase name="t"><system-out><![CDATA[<failure/>]]></system-out><system-err><failure/></system-err></testcase>',
      { passed: true },
    ],
    ['a time that is no number', '<testcase name="t" time="soon"/>', { passed: true }],
    ['a time that could mean two things', '<testcase name="t" time="1,234"/>', { passed: true }],
    ['a time of another language', '<testcase name="t" time="1.234,5"/>', { passed: true }],
  ])('%s', (_name, testCase, expected) => {
    const { tests, errors } = read(`<testsuite>${testCase}</testsuite>`);
    expect(errors).toEqual([]);
    expect(tests).toHaveLength(1);
    expect(tests[0]).toMatchObject(expected);
    expect(tests[0]).not.toHaveProperty('durationMs');
    if (expected.status === 'skipped') expect(tests[0]).not.toHaveProperty('passed');
    if (tests[0]?.passed !== false) expect(tests[0]).not.toHaveProperty('error');
  });

  it('counts a test once that failed and then failed to clean up, also when others stand between', () => {
    const { tests } =
      read(`<testsuite><testcase classname="m" name="t"><failure message="first"/></testcase>
      <testcase classname="m" name="other"/>
      <testcase classname="m" name="t"><error message="failed on teardown with x">second</error></testcase></testsuite>`);
    expect(tests.map((test) => [test.caseTitle, test.passed])).toEqual([
      ['m::t', false],
      ['m::other', true],
    ]);
    expect(tests[0]?.error).toBe('first\nfailed on teardown with x\nsecond');
  });

  it('never takes a pass and a failure of one name for one test', () => {
    const { tests } = read(
      '<testsuite><testcase name="t"><failure/></testcase><testcase name="t"/></testsuite>',
    );
    expect(tests.map((test) => test.passed)).toEqual([false, true]);
  });

  it.each([
    ['<testsuite/>', 'The report contains no tests; check that the runner found some.'],
    ['<coverage/>', 'The root element is <coverage>; JUnit XML has <testsuites> or <testsuite>.'],
    [
      '<testsuite><testcase name="a"',
      'The file is not well-formed XML: Unclosed root tag (line 1).',
    ],
    [
      '<testsuite>\n<testcase name="&nope;"/></testsuite>',
      'The file is not well-formed XML: Invalid character entity (line 2).',
    ],
    [
      '<testsuite><testcase name="&constructor;"/></testsuite>',
      'The file is not well-formed XML: Invalid character entity (line 1).',
    ],
    [
      '<testsuite><testcase><testcase/></testcase></testsuite>',
      'A <testcase> is inside another <testcase>.',
    ],
    [`<testsuite>${'<a>'.repeat(200)}`, 'Elements are nested more than 100 deep.'],
    [
      `<testsuite><testcase ${attributes(101)}/></testsuite>`,
      'An element has more than 100 attributes.',
    ],
    ['<!DOCTYPE testsuite><testsuite><testcase name="a"/></testsuite>', doctype()],
    ['<!DOCTYPE testsuite SYSTEM "file:///etc/hostname"><testsuite/>', doctype()],
    ['<testsuite><!DOCTYPE x><testcase name="a"/></testsuite>', doctype()],
    ['<testsuite><testcase name="a"/></testsuite><!doctype x>', doctype()],
    [`<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(10_000)}`, doctype()],
  ])('refuses bad document %# and says: $1', (text, problem) => {
    expect(() => read(text)).toThrow(problem);
  });

  it('reads long messages, and refuses an attribute without end', () => {
    const { tests } = read(
      `<testsuite><testcase name="t"><failure message="${'m'.repeat(300_000)}"/></testcase></testsuite>`,
    );
    expect(tests[0]?.error).toHaveLength(10_000);
    expect(() => read(`<testsuite><testcase name="${'n'.repeat(3_000_000)}`)).toThrow(
      'The file is not well-formed XML: Max buffer length exceeded',
    );
  });

  it('reads a file with a byte order mark, and one in the encoding it declares', () => {
    expect(read('\ufeff<testsuite><testcase name="é"/></testsuite>').tests[0]?.caseTitle).toBe('é');
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="é"/></testsuite>',
      'latin1',
    );
    expect(readReport(latin, 'junit-xml').tests[0]?.caseTitle).toBe('é');
    expect(() => readReport(latin.subarray(latin.indexOf('<testsuite')), 'junit-xml')).toThrow(
      'The file is not valid UTF-8 text.',
    );
  });
});

function read(text: string): Report {
  return readReport(new TextEncoder().encode(text), 'junit-xml');
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ');
}

function doctype(): string {
  return 'The file has a document type declaration (DOCTYPE), which is not allowed; remove it.';
}
