import { describe, expect, it } from 'vitest';
import { decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { type RenderOptions, renderSummary } from './render-summary.ts';

function text(
  summary: Parameters<typeof renderSummary>[0],
  options: Partial<RenderOptions> = {},
): string {
  return `\n${renderSummary(summary, { format: 'text', ...options })}`;
}

describe('a decided run', () => {
  it('passed: only a whole run without a failing trial says that every trial passed', () => {
    const summary = decidedSummary(['ppppf'], [trial(1, { result: 'passed' })], {
      nextCursor: 'next',
    });
    const rendered = text(summary);
    expect(rendered).not.toContain('Every trial passed');
    expect(rendered).toContain('Trials that did not pass: none of 1 trial examined on this page');
    const running = { status: 'running' };
    const soFar = [trial(1, { result: 'passed' })];
    expect(text(summaryOf(running, soFar, { nextCursor: 'next' }))).toContain(
      'Did not pass so far: none of 1 trial examined on this page',
    );
    expect(text(summaryOf(running, soFar))).toContain('Every trial passed so far: 1 trial');
  });

  it.each([
    [['pp', 'pp'], 1, '1 of 2 case variants asserts nothing, so its trials show little.'],
    [['pp', 'pp'], 2, '2 of 2 case variants assert nothing, so their trials show little.'],
    [
      ['pppppppp', 'pt'],
      1,
      '10 of 10 configured trials attempted, 9 graded; 1 trial timed out; 1 of 2 case variants asserts nothing, so its trials show little.',
    ],
  ])(
    '%j with %i that assert nothing was not measured wholly',
    (cases, assertsNothing, expected) => {
      const rendered = text(decidedSummary(cases), { assertsNothing }).replaceAll(/\s+/g, ' ');
      expect(rendered).toMatch(/^ PASSED/);
      expect(rendered).toContain(`Not everything was measured: ${expected}`);
      expect(rendered).not.toContain('Everything was measured');
    },
  );

  it('with nothing that asserts nothing was measured wholly', () => {
    expect(text(decidedSummary(['pp']), { assertsNothing: 0 })).toContain(
      'Everything was measured',
    );
  });

  it.each([
    [false, 'The checks of the cases were not recorded.'],
    [true, 'The checks of the cases were not reported.'],
  ])('of whose cases nobody knows what they assert (reported: %s)', (isReported, expected) => {
    const inOneLine = (cases: string[]) =>
      text(decidedSummary(cases), { isReported }).replaceAll(/\s+/g, ' ');
    expect(inOneLine(['pp', 'p'])).toContain(
      `Completed and graded: 3 of 3 configured trials, no grader error. ${expected}`,
    );
    expect(inOneLine(['pp', 'p'])).not.toContain('verything was measured');
    expect(inOneLine(['pppppppt'])).toContain('Not everything was measured: 8 of 8');
  });

  it('that was cancelled never says that trials which had begun were not attempted', () => {
    const inOneLine = (cases: string[]) => text(decidedSummary(cases)).replaceAll(/\s+/g, ' ');
    for (const cases of [['ccc'], ['c'], ['pc', 'pc']]) {
      expect(inOneLine(cases)).not.toMatch(/was attempted|were attempted|trials? attempted/i);
      expect(inOneLine(cases)).not.toContain('was not attempted');
    }
    expect(inOneLine(['ccc'])).toContain('No trial counts as attempted');
    expect(inOneLine(['pc', 'pc'])).toContain('2 of 4 configured trials count as attempted');
    expect(inOneLine(['pw', 'pw'])).toContain('2 of 4 configured trials were attempted');
  });

  it('says that its trials shared sessions', () => {
    const sentence =
      'Trials shared one session with each server, so a trial can see what another did.';
    const inOneLine = (sharesSessions: boolean) =>
      text(decidedSummary(['pp']), { sharesSessions }).replaceAll(/\s+/g, ' ');
    expect(inOneLine(true)).toContain(sentence);
    expect(inOneLine(false)).not.toContain(sentence);
  });
});
