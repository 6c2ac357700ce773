import { describe, expect, test } from 'vitest';
import { decidedSummary, summaryOf, trial } from '../words/example-summaries.ts';
import { DecisionSummary } from './decision-summary.ts';
import { joinSummaries } from './join-summaries.ts';

const first = decidedSummary(['pf', 'pp'], [trial(1), trial(2, { result: 'passed' })], {
  nextCursor: 'two',
});
const last = decidedSummary(['pf', 'pp'], [trial(3)], { cursorGiven: true });

describe('pages of one summary read one after the other', () => {
  test('list the trials of all pages in order and count what was examined', () => {
    const joined = joinSummaries(first, [last]);
    expect(joined.diagnostics.items.map(({ iterationId }) => iterationId)).toEqual([
      'itr_1',
      'itr_3',
    ]);
    expect(joined.diagnostics.scannedIterations).toBe(3);
  });

  test('are complete at the end of a run that has ended, and still a summary', () => {
    const joined = joinSummaries(first, [last]);
    expect(joined.diagnostics.complete).toBe(true);
    expect(DecisionSummary.parse(joined)).toEqual(joined);
  });

  test('are not complete while something follows or the run goes on', () => {
    expect(joinSummaries(first, [{ ...last, diagnostics: first.diagnostics }]).diagnostics).toEqual(
      expect.objectContaining({ complete: false, nextCursor: 'two' }),
    );
    const running = summaryOf({ status: 'running' }, [trial(3)], { cursorGiven: true });
    expect(joinSummaries(first, [running]).diagnostics.complete).toBe(false);
  });

  test('one page stays as it is', () => {
    expect(joinSummaries(first, [])).toBe(first);
  });
});
