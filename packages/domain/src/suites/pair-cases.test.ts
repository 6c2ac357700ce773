import { expect, test } from 'vitest';
import { modelOfPair, pairCases, pairTitle, type TrialsOfCase } from './pair-cases.ts';

const one = (caseKey: string, passed: number, failed: number): TrialsOfCase => ({
  caseKey,
  passed,
  failed,
});
const onModels = (
  caseKey: string,
  models: Readonly<Record<string, readonly [passed: number, failed: number]>>,
): TrialsOfCase => {
  const found = Object.entries(models).map(([model, [passed, failed]]) => ({
    model,
    passed,
    failed,
  }));
  const sum = (of: 'passed' | 'failed') => found.reduce((all, row) => all + row[of], 0);
  return { caseKey, passed: sum('passed'), failed: sum('failed'), models: found };
};

test('rows of one case are one cluster, and other cases are their own', () => {
  const side = [one('data-0123456789ab', 1, 1), one('data-ba9876543210', 2, 0), one('alone', 1, 0)];
  expect(pairCases(side, side)).toMatchObject({ pairs: 3, clusters: 2, difference: 0 });
});

test('each of several models is paired with itself, in the cluster of its case', () => {
  const base = [onModels('ask', { one: [4, 0], two: [4, 0], gone: [1, 0] })];
  const compare = [onModels('ask', { one: [4, 0], two: [2, 2], come: [0, 1] })];
  expect(pairCases(base, compare)).toMatchObject({
    pairs: 2,
    clusters: 1,
    difference: -0.25,
    left: ['ask on gone'],
    right: ['ask on come'],
  });
});

test('a case whose one model changed, or whose models are unknown, is one pair', () => {
  const base = [onModels('ask', { one: [4, 0] })];
  const changed = pairCases(base, [onModels('ask', { other: [3, 1] })]);
  expect(changed).toMatchObject({ pairs: 1, difference: -0.25, left: [], right: [] });
  const unknown = pairCases([onModels('ask', { one: [4, 0], two: [4, 0] })], [one('ask', 4, 4)]);
  expect(unknown).toMatchObject({ pairs: 1, difference: -0.5, left: [], right: [] });
});

test('a case of one side only is named once, with all its models', () => {
  const extra = onModels('extra', { one: [1, 0], two: [1, 0] });
  expect(pairCases([one('ask', 1, 0)], [one('ask', 1, 0), extra])?.right).toEqual(['extra']);
  expect(pairCases([one('ask', 1, 0), one('none', 0, 0)], [one('none', 1, 0)])).toMatchObject({
    pairs: 0,
    left: ['ask'],
    ungraded: ['none'],
  });
  expect(pairCases([], [one('ask', 1, 0)])).toBeNull();
});

test('a pair has the title of its case', () => {
  const cases = [{ caseKey: 'ask', title: 'Asks' }];
  expect(pairTitle('ask', cases)).toBe('Asks');
  expect(pairTitle('ask on two', cases)).toBe('Asks on two');
  expect(pairTitle('other', cases)).toBe('other');
  expect(modelOfPair('local/one', 'local')).toBe('local/one');
  expect(modelOfPair('one', 'local')).toBe('local/one');
  expect(modelOfPair('one', null)).toBe('one');
});
