import { type DecisionSummary, gateQuarantine, type QuarantineEntry } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { decidedSummary } from './example-summaries.ts';
import { githubAnnotations } from './github-report.ts';
import {
  type QuarantineToRender,
  quarantineHead,
  quarantineSentences,
  staleSentence,
} from './quarantine-words.ts';
import { renderSummary } from './render-summary.ts';
import { sumHeadline, testHeadline } from './test-headline.ts';
import { renderJunit } from './write-junit.ts';
import { plainSentence } from './write-text.ts';

const entry = (more: Partial<QuarantineEntry> = {}): QuarantineEntry => ({
  id: 'qrn_1',
  caseId: 'case_1',
  model: null,
  owner: 'Mika',
  reason: 'Races with the cache',
  expiresAt: Date.UTC(2026, 11, 11),
  source: 'api',
  state: 'inForce',
  daysLeft: 3,
  decisionCaseIds: ['case_1'],
  title: 'Asks for a refund',
  ...more,
});
const red = decidedSummary(['fpf', 'ppp']);
const green = decidedSummary(['ppp', 'ppp']);
const words = (sentence: Parameters<typeof plainSentence>[0]) => plainSentence(sentence, false);

function applied(
  summary: DecisionSummary,
  word: QuarantineToRender['word'],
  ...entries: QuarantineEntry[]
): QuarantineToRender {
  const cases = summary.verdictSource === 'policyV2' ? summary.decision.cases : undefined;
  return { ...gateQuarantine({ cases, entries }), word };
}

const excused = applied(red, 'QUARANTINED', entry());
const expired = applied(green, 'FAILED', entry({ state: 'expired', daysLeft: 0 }));
const sentence =
  '"Asks for a refund" failed, but its quarantine lets it through (owner: Mika, 3 days left). Reason: "Races with the cache".';

describe('a run that failed in quarantine alone', () => {
  test('keeps its verdict in text, Markdown and HTML, with a block of what is let through', () => {
    const text = renderSummary(red, { format: 'text', width: 200, quarantine: excused });
    expect(text).toMatch(/^FAILED: 1 of 2/);
    expect(text).toContain(`\n\nQuarantine\n  ${sentence}\n`);
    const markdown = renderSummary(red, { format: 'markdown', quarantine: excused });
    expect(markdown).toContain(
      '#### Quarantine\n\n- `Asks for a refund` failed, but its quarantine lets it through',
    );
    const html = renderSummary(red, { format: 'html', quarantine: excused });
    expect(html).toContain('<h2>Quarantine</h2>\n<ul>\n<li>');
    expect(renderSummary(red, { format: 'text' })).not.toContain('Quarantine');
  });

  test('is skipped in JUnit, with the reason', () => {
    const junit = renderJunit(red, { quarantine: excused });
    expect(junit).toContain('failures="0" errors="0"');
    expect(junit).toContain('skipped="1"');
    expect(junit).toContain(
      '<skipped message="In quarantine for Mika, 3 days left: &quot;Races with the cache&quot;."',
    );
  });

  test('is a warning on GitHub', () => {
    const [whole] = githubAnnotations(red, { isWaived: false, quarantine: excused });
    expect(whole).toMatch(/^::warning title=Proofmark::FAILED: 1 of 2.*lets it through/);
    expect(githubAnnotations(red, { isWaived: false })[0]).toMatch(/^::error/);
  });

  test('begins a test with QUARANTINED', () => {
    const head = testHeadline(red, { models: [] }, excused);
    expect(words(head)).toMatch(
      /^QUARANTINED: 1 of 2 cases failed, and it is in quarantine · no model/,
    );
    const suite = { verdict: 'failed', exitCode: 0, models: [] } as const;
    const passed = { ...suite, verdict: 'passed' } as const;
    expect(words(sumHeadline([passed, { ...suite, isQuarantined: true }], 2))).toMatch(
      /^QUARANTINED: 1 of 2 suites; 1 passed/,
    );
    expect(words(sumHeadline([passed, suite], 2))).toMatch(
      /^PASSED: 1 of 2 suites passed, 1 waived/,
    );
  });
});

test.each([
  [2, 'QUARANTINED: 2 of 2 cases failed, and both are in quarantine'],
  [3, 'QUARANTINED: 3 of 3 cases failed, and all of them are in quarantine'],
])('a run with %i cases in quarantine counts them', (cases, text) => {
  const summary = decidedSummary(new Array<string>(cases).fill('fff'));
  const entries = Array.from({ length: cases }, (_, at) =>
    entry({ decisionCaseIds: [`case_${at + 1}`] }),
  );
  const head = quarantineHead(summary, applied(summary, 'QUARANTINED', ...entries));
  expect(head && words(head)).toBe(text);
});

test.each(['INCONCLUSIVE', 'FAILED', 'WAIVED'] as const)(
  'at a gate that is %s, nothing is let through',
  (word) => {
    const [told = []] = quarantineSentences(applied(red, word, entry()));
    expect(words(told)).toBe(
      '"Asks for a refund" failed and is in quarantine (owner: Mika, 3 days left). Reason: "Races with the cache".',
    );
  },
);

describe('a stale entry', () => {
  test('fails a green run in its first line, in JUnit and on GitHub', () => {
    expect(words(testHeadline(green, { models: [] }, expired))).toMatch(
      /^FAILED: 1 entry is stale in the quarantine; 2 of 2 cases passed/,
    );
    const junit = renderJunit(green, { quarantine: expired });
    expect(junit).toContain('failures="1"');
    expect(junit).toMatch(/name="the quarantine of case_1 is in force".*\n.*<failure message="The/);
    const [whole] = githubAnnotations(green, { isWaived: false, quarantine: expired });
    expect(whole).toMatch(/^::error/);
  });

  test('does not change the first line of a run that failed', () => {
    expect(quarantineHead(red, applied(red, 'FAILED', entry({ state: 'gone' })))).toBeUndefined();
  });

  test.each<readonly [Partial<QuarantineEntry>, string | undefined, string]>([
    [
      { state: 'expired' },
      undefined,
      'The quarantine of "Asks for a refund" ended on 2026-12-11 00:00 UTC. Delete the entry qrn_1 on the page of the suite.',
    ],
    [
      { state: 'gone', title: null, source: 'file' },
      'shop.suite.yaml:12',
      'The suite has no case "case_1". Correct or delete the entry "- case: case_1" below quarantine at shop.suite.yaml:12.',
    ],
    [
      { state: 'gone', title: null, source: 'file', caseId: 'find_by_lite' },
      'shop.suite.yaml:12',
      'The suite has no case "find_by_lite"; did you mean "find_by_title"? Correct or delete the entry "- case: find_by_lite" below quarantine at shop.suite.yaml:12.',
    ],
    [
      { state: 'gone', title: null, model: 'large' },
      undefined,
      'The suite has no case "case_1". Delete the entry qrn_1 on the page of the suite.',
    ],
    [
      { state: 'steady', model: 'large', source: 'file' },
      undefined,
      'The last 59 graded trials of "Asks for a refund" on large, which is in quarantine, passed. Delete the entry "- case: case_1" below quarantine in the suite file.',
    ],
  ])('that is %o names the line to delete', (more, place, text) => {
    const caseIds = ['find_by_title', 'add'];
    expect(words(staleSentence(entry(more), { placeOf: () => place, caseIds }))).toBe(text);
  });
});
