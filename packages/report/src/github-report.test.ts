import { expect, test } from 'vitest';
import { chainOf, decidedSummary, trial } from './example-summaries.ts';
import {
  githubAnnotations,
  githubComment,
  githubCommentMark,
  githubStepSummary,
  workflowCommand,
} from './github-report.ts';

test('no text can end its command, start another or name a property', () => {
  expect(workflowCommand('error', 'a,b: c%', '100%\r\n::error::x')).toBe(
    '::error title=a%2Cb%3A c%25::100%25%0D%0A::error::x',
  );
});

test('an annotation gives the advice before the next action of the category', () => {
  const timedOut = trial(1, {
    status: 'timed_out',
    result: null,
    error: 'Its time was up.',
    ...chainOf([['notMeasured', 'lifecycleStopped']], { failureCategory: 'setup' }),
  });
  const summary = decidedSummary(['tt'], [timedOut]);
  const [item] = summary.diagnostics.items;
  expect(item?.advice).toMatch(/^Find the step that was running/);
  const [, about] = githubAnnotations(summary, { isWaived: false });
  expect(about).toBe(
    `::warning title=Case 1::Its time was up.%0A${item?.advice}%0A${item?.nextAction}`,
  );
});

test('an annotation names the rule that failed a trial whose assertions hold', () => {
  const summary = decidedSummary(['f'], [trial(1, {})]);
  const iterationId = summary.diagnostics.items[0]?.iterationId ?? '';
  const rationale = 'No tool may fail: find returned an error.';
  const scores = [{ scorerId: 'legacy:test', status: 'scored', passed: false, rationale }] as const;
  const calls = new Map([[iterationId, { scores, expectedToolCalls: [], actualToolCalls: [] }]]);
  const [, about] = githubAnnotations(summary, { isWaived: false, calls });
  expect(about).toContain(rationale);
  expect(githubAnnotations(summary, { isWaived: false })[1]).not.toContain(rationale);
});

test('a comment begins with its mark, and a long one is cut at a line and says where the rest is', () => {
  expect(githubCommentMark('ste_1 --> x')).toBe('<!-- proofmark ste_1x -->');
  expect(githubComment('ste_1', 'Passed.\n', 'https://p.example/run')).toBe(
    '<!-- proofmark ste_1 -->\nPassed.\n',
  );
  const long = githubComment('ste_1', 'A line.\n'.repeat(20_000), 'https://p.example/run');
  expect(long.length).toBeLessThan(65_536);
  expect(long).toMatch(/A line\.\n\nThe rest is in the console: <https:\/\/p\.example\/run>\n$/);
});

test('what GitHub would throw away for its length is cut, and no sign of it is half a sign', () => {
  const [, title = '', message = ''] =
    /^::error title=(.*)::(.*)$/.exec(
      workflowCommand('error', `${'t'.repeat(253)}😀😀`, '語'.repeat(30_000)),
    ) ?? [];
  expect(title).toBe(`${'t'.repeat(253)}\ufffd…`);
  expect(new TextEncoder().encode(message).length).toBeLessThan(64 * 1024);
  expect(githubStepSummary('Passed.\n', 'https://p.example/run')).toBe('Passed.\n\n');
  const long = githubStepSummary('語語語.\n'.repeat(200_000), 'https://p.example/run');
  expect(new TextEncoder().encode(long).length).toBeLessThan(1024 * 1024);
  expect(long).toMatch(/The rest is in the console: <https:\/\/p\.example\/run>\n$/);
});
