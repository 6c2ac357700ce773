import type { RunReplay } from '@proofmark/domain';
import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainStoppedAt, decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { renderSummary } from './render-summary.ts';
import { type SuiteToSum, sumHeadline, type TestCost, testHeadline } from './test-headline.ts';
import { plainSentence } from './write-text.ts';

const cost: TestCost = {
  models: ['proofmark/lexical-1'],
  durationMs: 3_240,
  spending: { credits: 0, priced: true, inputTokens: 1_000, outputTokens: 240 },
};
const line = (...of: Parameters<typeof testHeadline>) => plainSentence(testHeadline(...of), false);
const green = decidedSummary(Array.from({ length: 10 }, () => 'p'));

describe('the first line of a test', () => {
  test('has the verdict, the cases, the model, the time, the tokens and the cost', () => {
    expect(line(green, cost)).toBe(
      'PASSED: 10 of 10 cases · proofmark/lexical-1 · 3.2 s · 1,240 tokens · free',
    );
  });

  test('counts the cases that its verdict speaks of', () => {
    const none = { models: [] };
    expect(line(decidedSummary(['p', 'f', 'f']), none)).toMatch(/^FAILED: 2 of 3 cases ·/);
    expect(line(decidedSummary(['p', 's', 's']), none)).toMatch(
      /^INCONCLUSIVE: 1 of 3 cases decided ·/,
    );
    expect(line(decidedSummary(['p'], [], {}, 'small'), none)).toMatch(
      /^PASSED: 1 of 1 case variant ·/,
    );
    expect(line({ ...green, nothingCalled: true }, none)).toMatch(/^NOTHING CALLED: 10 of 10/);
    expect(line(summaryOf({ status: 'running' }), none)).toMatch(/^NOT ESTABLISHED: the run has/);
  });

  test('a replay that went another way says how many trials did not', () => {
    const replay = { trials: 3, diverged: 1, notRecorded: 0 } as RunReplay;
    expect(line({ ...green, replay }, cost)).toMatch(
      /^NO ANSWER: 2 of 3 trials went as recorded · proofmark/,
    );
  });

  test.each<[string, TestCost, string]>([
    ['no model', { models: [] }, 'no model · free'],
    ['several models', { models: ['a/b', 'c/d'] }, '2 models · free'],
    ['two minutes', { models: ['a/b'], durationMs: 125_400 }, 'a/b · 2 min 5 s · free'],
    ['nearly a minute', { models: ['a/b'], durationMs: 59_990 }, 'a/b · 1 min 0 s · free'],
    [
      'a price',
      {
        models: ['a/b'],
        spending: { credits: 3.2, priced: true, inputTokens: 1, outputTokens: 0 },
      },
      'a/b · 1 token · 3.2 credits',
    ],
    [
      'a key of the caller',
      { models: ['a/b'], spending: { credits: 0, priced: false, inputTokens: 9, outputTokens: 1 } },
      'a/b · 10 tokens · cost unknown',
    ],
  ])('tells %s', (_title, given, expected) => {
    expect(line(green, given)).toBe(`PASSED: 10 of 10 cases · ${expected}`);
  });

  test('what the verdict sentence says beyond it follows on the next line', () => {
    const stopped = trial(1, chainStoppedAt('selection', 'missingToolCall', 'selection'));
    const summary = decidedSummary(['p', 'f'], [stopped]);
    const headline = testHeadline(summary, cost);
    const [first, second] = renderSummary(summary, { format: 'text', headline }).split('\n');
    expect(first).toMatch(/^FAILED: 1 of 2 cases ·/);
    expect(second).toBe('The only failing trial stops at selection.');
    const [, next] = renderSummary(green, { format: 'text', headline }).split('\n');
    expect(next).toMatch(/^Completed and graded/);
    const open = decidedSummary(['s']);
    expect(renderSummary(open, { format: 'text', headline })).toContain(
      'Too little was measured to decide; the only configured trial was not graded.',
    );
    const silent = { ...green, nothingCalled: true as const };
    expect(renderSummary(silent, { format: 'text', headline })).toContain(
      'No tool, prompt or resource of a server was called.',
    );
  });
});

describe('the sum of several suites', () => {
  const suite = (more: Partial<SuiteToSum> = {}): SuiteToSum => ({
    ...cost,
    verdict: 'passed',
    exitCode: 0,
    cases: { total: 10, passed: 10, failed: 0 },
    ...more,
  });
  const failed = suite({
    verdict: 'failed',
    exitCode: 1,
    cases: { total: 4, passed: 1, failed: 3 },
  });
  const sum = (suites: readonly SuiteToSum[], asked = suites.length) =>
    plainSentence(sumHeadline(suites, asked), false);

  test('adds up cases, time, tokens and cost, and names each model once', () => {
    expect(sum([suite(), suite({ models: [] })])).toBe(
      'PASSED: 2 of 2 suites · 20 of 20 cases passed · proofmark/lexical-1 · 6.5 s · 2,480 tokens · free',
    );
    expect(sum([suite(), failed])).toMatch(/^FAILED: 1 of 2 suites · 11 of 14 cases passed ·/);
  });

  test('a changed pin fails the call, and each server counts once', () => {
    const changed = (names: readonly string[]) =>
      names.map((serverName) => ({ serverName, message: 'A tool was added.' }));
    const headlineFor = (names: readonly string[]) =>
      plainSentence(sumHeadline([suite(), suite()], 2, changed(names)), false);
    expect(headlineFor(['shop', 'shop'])).toMatch(
      /^FAILED: 1 server differs from its pin; 2 of 2 suites passed ·/,
    );
    expect(headlineFor(['shop', 'desk'])).toMatch(/^FAILED: 2 servers differ from their pins;/);
  });

  test('a suite without a verdict, or that was not tested, is never counted as passed', () => {
    const open = suite({ verdict: 'inconclusive', exitCode: 3 });
    expect(sum([suite(), open])).toMatch(/^INCONCLUSIVE: 1 of 2 suites passed ·/);
    expect(sum([suite()], 2)).toMatch(/^INCONCLUSIVE: 1 of 2 suites passed ·/);
    expect(sum([suite(), { ...failed, exitCode: 0 }])).toMatch(
      /^PASSED: 1 of 2 suites passed, 1 waived ·/,
    );
    const { cases: _, ...uncounted } = suite();
    expect(sum([suite(), uncounted])).not.toContain('cases');
  });

  test('says PASSED only where nothing failed and nothing is open', () => {
    const any = fc.record({
      verdict: fc.constantFrom('passed', 'failed', 'inconclusive', 'notEstablished'),
      exitCode: fc.constantFrom(0, 1, 3),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 2 }), fc.nat(2), (suites, untested) => {
        const headline = sum(suites.map(suite), suites.length + untested);
        const codes = suites.map(({ exitCode }) => exitCode);
        const isGreen = untested === 0 && codes.every((code) => code === 0);
        expect(headline.startsWith('PASSED')).toBe(isGreen);
        expect(headline.startsWith('FAILED')).toBe(codes.includes(1));
      }),
      runsOf(100),
    );
  });
});
