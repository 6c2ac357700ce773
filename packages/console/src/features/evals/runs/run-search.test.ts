import { describe, expect, test } from 'vitest';
import {
  isFiltered,
  mayShowPassed,
  readRunSearch,
  readTrialSearch,
  searchWords,
  trialFilterOf,
} from './run-search.ts';

describe('the address of a run', () => {
  test('says which trials are shown, and nothing it does not know', () => {
    const search = { result: 'failed', stage: 'call', case: 'cas_1', model: 'm', text: 'refund' };
    expect(readTrialSearch({ ...search, base: 'run_2' })).toEqual(search);
    expect(readRunSearch({ base: 'run_2', stage: 'somewhere', result: 7, text: ' ' })).toEqual({
      base: 'run_2',
    });
    // The router parses digits in an address as a number. The search converts the number back to
    // text.
    expect(readTrialSearch({ text: 404 })).toEqual({ text: '404' });
    expect(readTrialSearch({ text: { a: 1 }, case: ['x'] })).toEqual({});
    expect(readTrialSearch({ text: 'x'.repeat(500) }).text).toHaveLength(200);
  });

  test('asks for those that did not pass where it says nothing', () => {
    expect(trialFilterOf({})).toEqual({ result: 'notPassed' });
    expect(trialFilterOf({ result: 'all', case: 'cas_1' })).toEqual({ caseId: 'cas_1' });
    expect(trialFilterOf({ stage: 'call', text: 'x' })).toEqual({
      result: 'notPassed',
      stage: 'call',
      text: 'x',
    });
    expect(readTrialSearch({ result: 'notPassed' })).toEqual({});
    expect([isFiltered({}), isFiltered({ model: 'm' })]).toEqual([false, true]);
  });

  test('a trial that passed failed at no stage', () => {
    expect(mayShowPassed({ result: 'all' })).toBe(true);
    expect(mayShowPassed({ result: 'all', stage: 'call' })).toBe(false);
    expect(mayShowPassed({ result: 'failed' })).toBe(false);
  });

  test('is told in words', () => {
    expect(searchWords({}, undefined)).toBe('that did not pass');
    expect(searchWords({ stage: 'userValue', case: 'cas_1', model: 'm' }, 'Refunds')).toBe(
      'that first failed at user value, of Refunds, on m',
    );
    expect(searchWords({ result: 'all', text: 'x' }, undefined)).toBe('of every result, with “x”');
  });
});
