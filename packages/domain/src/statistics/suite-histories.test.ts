import { describe, expect, test } from 'vitest';
import { resultTurns } from './result-turns.ts';
import { presentHistories, type RecordedHistory } from './suite-histories.ts';

const results = (passed: number, failed: number) =>
  resultTurns([
    ...new Array<boolean>(passed).fill(true),
    ...new Array<boolean>(failed).fill(false),
  ]);

function history(caseId: string, ended: [number, number], more: Partial<RecordedHistory> = {}) {
  const [firstEndedAt, lastEndedAt] = ended;
  const variant = { caseId, model: 'one', provider: null, runs: 1, lastRunId: 'run_1' };
  return { ...variant, firstEndedAt, lastEndedAt, results: results(20, 0), ...more };
}

const presented = (histories: readonly RecordedHistory[]) =>
  presentHistories(histories).map(
    ({ caseId, model, results: all, isRegressed }) =>
      `${caseId} on ${model}: ${all.trials}${isRegressed ? ' regressed' : ''}`,
  );

describe('the present history of a case variant', () => {
  test('is the one that ended last', () => {
    const former = history('a', [1, 2]);
    const newest = history('a', [3, 4], { results: results(5, 0) });
    expect(presented([former, history('b', [3, 3]), newest])).toEqual([
      'a on one: 5',
      'b on one: 20',
    ]);
  });

  test('regressed if its rate fell below the former one', () => {
    const former = history('a', [1, 2]);
    const worse = history('a', [3, 4], { results: results(5, 15) });
    expect(presented([former, worse])).toEqual(['a on one: 20 regressed']);
  });

  test('is not regressed if it rose, or by too few trials', () => {
    const bad = history('a', [1, 2], { results: results(0, 20) });
    expect(presented([bad, history('a', [3, 4])])).toEqual(['a on one: 20']);
    const few = history('a', [3, 4], { results: results(1, 1) });
    expect(presented([history('a', [1, 2]), few])).toEqual(['a on one: 2']);
  });

  test('is compared with a model that it replaced, and not with one beside it', () => {
    const former = history('a', [1, 2], { model: 'old' });
    const worse = { results: results(5, 15) };
    expect(presented([former, history('a', [3, 4], worse)])).toEqual([
      'a on old: 20',
      'a on one: 20 regressed',
    ]);
    const beside = history('a', [1, 4], { model: 'old' });
    expect(presented([beside, history('a', [3, 4], worse)])).toEqual([
      'a on old: 20',
      'a on one: 20',
    ]);
  });

  test('regressed only after the correction for all that changed', () => {
    const fell = { results: results(14, 6) };
    const alone = [history('a', [1, 2]), history('a', [3, 4], fell)];
    expect(presented(alone)).toEqual(['a on one: 20 regressed']);
    const others = Array.from({ length: 9 }, (_, at) => [
      history(`c${at}`, [1, 2]),
      history(`c${at}`, [3, 4]),
    ]).flat();
    expect(presented([...alone, ...others])[0]).toBe('a on one: 20');
  });
});
