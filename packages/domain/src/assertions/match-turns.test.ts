import { describe, expect, test } from 'vitest';
import { defaultMatchOptions } from './match-options.ts';
import { matchTurns, skillTools, type Turn } from './match-turns.ts';

const options = defaultMatchOptions;
const call = (toolName: string) => ({ toolName, arguments: {} });
const [a, b] = [call('a'), call('b')];
const turn = (expected: Turn['expected'], actual: Turn['actual'], more: Partial<Turn> = {}) => ({
  promptIndex: 0,
  expected,
  actual,
  ...more,
});

test('one failed turn fails the trial, and the findings of all turns are gathered', () => {
  const result = matchTurns({
    turns: [turn([a], [a]), turn([b], [a], { promptIndex: 1 })],
    options,
  });
  expect(result).toMatchObject({ passed: false, missing: [b], extra: [a] });
  expect(result.turns.map(({ promptIndex, passed }) => [promptIndex, passed])).toEqual([
    [0, true],
    [1, false],
  ]);
});

test('a turn that expects nothing passes, also without a call', () => {
  expect(matchTurns({ turns: [turn([], [])], options }).passed).toBe(true);
  expect(matchTurns({ turns: [turn([], [a, b])], options }).passed).toBe(true);
  expect(matchTurns({ turns: [turn([a], [a]), turn([], [])], options }).passed).toBe(true);
});

test.each([
  [0, false],
  [1, false],
  [2, true],
])('two calls nobody expected with at most %i extra allowed: %s', (maxExtraToolCalls, passed) => {
  const bound = { ...options, maxExtraToolCalls };
  const result = matchTurns({ turns: [turn([], [a, b])], options: bound });
  expect(result).toMatchObject({ passed, extra: [a, b] });
});

test('a pinned turn always passes and its call is not matched', () => {
  const pinned = turn([b], [a], { pinned: true });
  for (const isNegativeTest of [false, true]) {
    const bound = { ...options, maxExtraToolCalls: 0 };
    const result = matchTurns({ turns: [pinned], options: bound, isNegativeTest });
    expect(result).toMatchObject({ passed: true, extra: [], missing: [] });
  }
});

test('a negative test looks at every turn', () => {
  const turns = [turn([], []), turn([a], [a])];
  expect(matchTurns({ turns, options, isNegativeTest: true }).passed).toBe(false);
  expect(matchTurns({ turns: [turn([a], [])], options, isNegativeTest: true }).passed).toBe(true);
});

describe('skill tools', () => {
  const none = { ...options, maxExtraToolCalls: 0 };
  const skills = skillTools.map(call);
  test('are exempt where they are advertised', () => {
    const turns = [turn([a], [...skills, a]), turn([], skills)];
    expect(matchTurns({ turns, options: none, skillToolsAdvertised: true }).passed).toBe(true);
    expect(matchTurns({ turns, options: none }).passed).toBe(false);
    const negative = { turns: [turn([], skills)], options: none, isNegativeTest: true };
    expect(matchTurns({ ...negative, skillToolsAdvertised: true }).passed).toBe(true);
    expect(matchTurns(negative).passed).toBe(false);
  });

  test('are matched where a turn expects them by name', () => {
    const expected = [call('loadSkill')];
    const input = { options: none, skillToolsAdvertised: true };
    const met = matchTurns({ ...input, turns: [turn(expected, [call('loadSkill')])] });
    const twice = [call('loadSkill'), call('loadSkill'), call('listSkills')];
    const surplus = matchTurns({ ...input, turns: [turn(expected, twice)] });
    expect(met.passed).toBe(true);
    expect(surplus).toMatchObject({ passed: false, extra: [call('loadSkill')] });
  });

  test('do not stand in for a call that was expected', () => {
    const turns = [turn([a], skills)];
    const result = matchTurns({ turns, options, skillToolsAdvertised: true });
    expect(result).toMatchObject({ passed: false, missing: [a] });
  });
});
