// The reports in samples/ are genuine output of the four runners. Only white space and the path of
// each run's folder were changed.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { ReportFormat } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { parseReport } from './parse-report.ts';
import type { Report } from './report.ts';

const utf8 = new TextEncoder();

describe('a report is read in a thread of its own', { timeout: 60_000 }, () => {
  it.each<{ file: string; format: ReportFormat; counts: object }>([
    {
      file: 'vitest3.json',
      format: 'vitest-json',
      counts: { passed: 4, failed: 4, skipped: 3, errors: 1 },
    },
    {
      file: 'jest29.json',
      format: 'jest-json',
      counts: { passed: 3, failed: 4, skipped: 2, errors: 1 },
    },
    // Three failures, a failed fixture and a failed teardown count as failed. The module that could
    // not be imported ran no test and is an error.
    {
      file: 'pytest-junit.xml',
      format: 'junit-xml',
      counts: { passed: 4, failed: 5, skipped: 2, errors: 1 },
    },
    {
      file: 'playwright-junit.xml',
      format: 'junit-xml',
      counts: { passed: 2, failed: 1, skipped: 2, errors: 0 },
    },
  ])('with the true counts of $file', async ({ file, format, counts }) => {
    const report = await parsed(sample(file), format);
    expect(countsOf(report)).toEqual(counts);
    expect(new Set(report.tests.map((test) => test.externalIterationId)).size).toBe(
      report.tests.length,
    );
  });

  it('keeps the timer of the caller running while it reads 200,000 tests', async () => {
    const bytes = utf8.encode(
      `<testsuite>${'<testcase classname="suite.name" name="a test" time="0.01"/>'.repeat(200_000)}</testsuite>`,
    );
    const begun = performance.now();
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 20);
    const report = await parsed(bytes, 'junit-xml').finally(() => clearInterval(timer));
    expect(report.tests).toHaveLength(200_000);
    expect(report.tests[199_999]?.externalIterationId).toBe('suite.name::a_test-199999');
    expect(ticks).toBeGreaterThan((performance.now() - begun) / 20 / 4);
  });

  it('leaves the bytes of the caller as they are', async () => {
    const bytes = sample('playwright-junit.xml');
    const before = bytes.slice();
    await parseReport(bytes, 'junit-xml');
    expect(bytes).toEqual(before);
  });

  it('stops a reader that runs out of memory and says so', async () => {
    const bytes = utf8.encode(`<testsuite>${'<testcase name="n"/>'.repeat(290_000)}</testsuite>`);
    const limits = { timeoutMs: 60_000, memoryMb: 24 };
    expect(await parseReport(bytes, 'junit-xml', limits)).toEqual({
      problem: 'The report takes too much memory to read; send it in smaller parts.',
    });
    const small = utf8.encode('<testsuite><testcase name="n"/></testsuite>');
    expect(await parseReport(small, 'junit-xml', limits)).not.toHaveProperty('problem');
  });

  it('outlives a document made to exhaust a parser that builds all of it', async () => {
    const keys = Array.from({ length: 500_000 }, (_, index) => `"k${index}":[]`).join(',');
    const bytes = utf8.encode(`{"coverageMap":{${keys}},"testResults":[]}`);
    expect(await parseReport(bytes, 'jest-json', { timeoutMs: 60_000, memoryMb: 64 })).toEqual({
      problem: 'The report contains no tests; check that the runner found some.',
    });
  });

  it('stops a reader that takes too long and says so', async () => {
    const bytes = utf8.encode(`<testsuite>${'<testcase name="n"/>'.repeat(290_000)}</testsuite>`);
    expect(await parseReport(bytes, 'junit-xml', { timeoutMs: 1, memoryMb: 256 })).toEqual({
      problem: 'Reading the report took longer than 0.001 seconds; send it in smaller parts.',
    });
  });

  it('reads many reports that arrive at once', async () => {
    const bytes = sample('playwright-junit.xml');
    const reports = await Promise.all(Array.from({ length: 6 }, () => parsed(bytes, 'junit-xml')));
    expect(reports.map((report) => report.tests.length)).toEqual([5, 5, 5, 5, 5, 5]);
  });

  it.each<[string, Uint8Array, ReportFormat, string]>([
    [
      'gzip',
      gzipSync('<testsuite/>'),
      'junit-xml',
      'The file is compressed with gzip; send the report itself.',
    ],
    [
      'UTF-16 with a mark',
      Buffer.from('\ufeff<testsuite/>', 'utf16le'),
      'junit-xml',
      'The file is text in UTF-16; save it as UTF-8.',
    ],
    [
      'UTF-16 without a mark',
      Buffer.from('<testsuite/>', 'utf16le'),
      'junit-xml',
      'The file is text in UTF-16 or UTF-32; save it as UTF-8.',
    ],
    ['nothing', new Uint8Array(0), 'jest-json', 'The file is empty.'],
    [
      'XML in place of JSON',
      utf8.encode('<testsuite/>'),
      'jest-json',
      'The file is XML, but the request says it is Jest JSON.',
    ],
    [
      'JSON in place of XML',
      utf8.encode('{}'),
      'junit-xml',
      'The file is JSON, but the request says it is JUnit XML.',
    ],
    [
      'plain text',
      utf8.encode('ok 1 - fine'),
      'junit-xml',
      'The file is neither XML nor JSON, but the request says it is JUnit XML.',
    ],
    [
      'too many bytes',
      new Uint8Array(32 * 1024 * 1024 + 1).fill(60),
      'junit-xml',
      'The file is larger than 32 MiB; send the report in parts.',
    ],
    [
      'an entity bomb',
      utf8.encode(
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite>&b;</testsuite>',
      ),
      'junit-xml',
      'The file has a document type declaration (DOCTYPE), which is not allowed; remove it.',
    ],
  ])('answers %s with one sentence', async (_name, bytes, format, problem) => {
    expect(await parseReport(bytes, format)).toEqual({ problem });
  });
});

function sample(file: string): Uint8Array {
  return readFileSync(new URL(`./samples/${file}`, import.meta.url));
}

async function parsed(bytes: Uint8Array, format: ReportFormat): Promise<Report> {
  const answer = await parseReport(bytes, format);
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}

function countsOf({ tests, errors }: Report): object {
  return {
    passed: tests.filter((test) => test.passed === true).length,
    failed: tests.filter((test) => test.passed === false).length,
    skipped: tests.filter((test) => test.status === 'skipped' && test.passed === undefined).length,
    errors: errors.length,
  };
}
