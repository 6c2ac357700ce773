import { caseChanges, joinedTokens, numericDiff, surfaceTokens } from '@proofmark/domain';
import { expect, test } from 'vitest';
import {
  costWords,
  figureRows,
  groupCases,
  surfaceSentence,
  withHiddenSigns,
} from './compare-words.ts';

const toolsOf = (...descriptions: string[]) =>
  surfaceTokens(
    [{ name: 'Shop', tools: descriptions.map((description) => ({ name: '', description })) }],
    ({ length }) => length,
  );

test('every figure has its unit, and what is not known says so', () => {
  const rows = figureRows({
    passSummary: {
      passed: numericDiff(4, 3),
      failed: numericDiff(0, 1),
      passRatePercent: numericDiff(100, 75),
    },
    metrics: {
      wallDurationMs: numericDiff(1000, 1500),
      totalTokens: numericDiff(1000, 1000),
      estimatedCostUsd: numericDiff(null, 0.25),
    },
    tokens: { base: toolsOf('four'), compare: toolsOf('four', '2.') },
  });
  expect(rows.map((row) => [row.name, row.base, row.compare, row.difference])).toEqual([
    ['Passed', '4 trials', '3 trials', '−1 trial (−25 %)'],
    ['Did not pass', '0 trials', '1 trial', '+1 trial'],
    ['Pass rate', '100 %', '75 %', '−25 points'],
    ['Time, first trial to last', '1.0 s', '1.5 s', '+0.5 s (+50 %)'],
    ['Tokens', '1,000 tokens', '1,000 tokens', 'the same'],
    ['Tools, in every request', '4 tokens', '6 tokens', '+2 tokens (+50 %)'],
    ['Estimated cost', 'not known', '$0.25', undefined],
  ]);
});

test('a figure many times as large says how many times', () => {
  const none = numericDiff(1, 1);
  const rows = figureRows({
    passSummary: { passed: none, failed: none, passRatePercent: none },
    metrics: {
      wallDurationMs: numericDiff(100, 8600),
      totalTokens: numericDiff(10, 2000),
      estimatedCostUsd: numericDiff(0.01, 0.5),
    },
    tokens: { base: joinedTokens([]), compare: toolsOf('four') },
  });
  expect(rows.slice(3).map(({ difference }) => difference)).toEqual([
    '+8.5 s (86 times as long)',
    '+1,990 tokens (200 times as many)',
    undefined,
    '+$0.49 (50 times as much)',
  ]);
});

test.each([
  [0, '$0'],
  [1234.5, '$1,234.50'],
  [0.999, '$1.00'],
  [0.01, '$0.01'],
  [0.00234, '$0.0023'],
  [0.00001, 'less than $0.0001'],
])('%s dollars are %s', (usd, words) => {
  expect(costWords(usd)).toBe(words);
});

test('signs that nobody sees are named; lines and other scripts stay as they are', () => {
  expect(withHiddenSigns({ description: 'Pay\u202e back\u200b\u{e0041}.' })).toEqual({
    description: 'Pay⟨U+202E⟩ back⟨U+200B⟩⟨U+E0041⟩.',
  });
  const plain = ['⚠️ 👩🏽‍💻', 'Zahlt\n\tzurück', 'été', '支払い', { n: 1, none: null }];
  expect(withHiddenSigns(plain)).toEqual(plain);
});

test('what servers offered is told with the servers that differ, also one with another name only', () => {
  expect(surfaceSentence(1, 1)).toBe('1 tool differs, on 1 server.');
  expect(surfaceSentence(1200, 2)).toBe('1,200 tools differ, on 2 servers.');
  expect(surfaceSentence(0, 1)).toBe('No tool differs; 1 server under another name.');
});

test('every case stands in one group', () => {
  const side = (passedTrials: number, eligibleTrials: number) => ({ passedTrials, eligibleTrials });
  const cases = caseChanges.flatMap((status) =>
    [side(0, 0), side(1, 2), side(2, 2)].map((compare) => ({
      status,
      significance: 'within_noise' as const,
      base: side(2, 2),
      compare,
    })),
  );
  const grouped = groupCases(cases).flatMap((group) => group.cases);
  expect(grouped).toHaveLength(cases.length);
  expect(new Set(grouped)).toEqual(new Set(cases));
});
