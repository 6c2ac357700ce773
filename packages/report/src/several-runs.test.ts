import { say } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { decidedSummary, trial } from './example-summaries.ts';
import { renderSummaries } from './render-summary.ts';
import { renderJunit, renderJunitOfAll } from './write-junit.ts';

const green = { summary: decidedSummary(['p']), options: { title: 'Green' } };
const red = {
  summary: decidedSummary(['p', 'f'], [trial(1, { caseId: 'case_2', title: '<b>Red</b>' })]),
  options: { title: '<i>Red suite</i>' },
};
const sum = say`FAILED: 1 of 2 suites`;

test('several runs are one JUnit report, with a suite each and their sums', () => {
  const times = { startedAt: 0, endedAt: 1_500 };
  const runs = [
    { summary: green.summary, options: { suiteName: 'Green', ...times } },
    { summary: red.summary, options: { suiteName: 'Red', ...times } },
  ];
  const all = renderJunitOfAll(runs);
  expect(all.match(/<testsuites /g)).toHaveLength(1);
  expect(all).toContain(
    '<testsuites name="proofmark" tests="3" failures="1" errors="0" time="3.000">',
  );
  for (const { summary, options } of runs) {
    const alone = renderJunit(summary, options);
    const ofSuite = alone.slice(alone.indexOf('  <testsuite '), alone.indexOf('</testsuites>'));
    expect(all).toContain(ofSuite);
  }
});

test('several runs are one page, with one title and a heading each', () => {
  const page = renderSummaries('html', sum, [green, red]);
  expect(page.match(/<!doctype/g)).toHaveLength(1);
  expect(page.match(/<h1>[^<]*<\/h1>/g)).toEqual(['<h1>FAILED: 1 of 2 suites</h1>']);
  expect(page.match(/<h2 class="\w+">/g)).toEqual(['<h2 class="passed">', '<h2 class="failed">']);
  expect(page.match(/<article>/g)).toHaveLength(2);
  expect(page).not.toMatch(/<[bi]>/);
});

test('several runs are one Markdown text below their sum', () => {
  const text = renderSummaries('markdown', sum, [green, red]);
  expect(text).toMatch(/^## FAILED: 1 of 2 suites\n\n### PASSED.*^### FAILED/ms);
  expect(text).toContain('`<i>Red suite</i>`');
});
