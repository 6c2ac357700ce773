import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ReportedTokens,
  type ReportedTokenUsage,
  tokenUsage,
  totalReportedTokens,
} from './token-usage.ts';

test.each<[string, ReportedTokens | undefined, ReportedTokenUsage | null, number | null]>([
  ['nothing reported', undefined, null, null],
  ['an empty report', {}, null, null],
  [
    'everything',
    { input: 3, output: 4, total: 7 },
    { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    7,
  ],
  ['both halves', { input: 3, output: 4 }, { inputTokens: 3, outputTokens: 4 }, 7],
  [
    'a half and the total',
    { input: 3, total: 7 },
    { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    7,
  ],
  [
    'the other half and the total',
    { output: 7, total: 7 },
    { inputTokens: 0, outputTokens: 7, totalTokens: 7 },
    7,
  ],
  ['the total alone', { total: 7 }, { totalTokens: 7 }, 7],
  ['one half alone', { input: 3 }, { inputTokens: 3 }, null],
  ['a half above the total', { input: 9, total: 7 }, { inputTokens: 9, totalTokens: 7 }, 7],
  [
    'halves above the total',
    { input: 5, output: 5, total: 7 },
    { inputTokens: 5, outputTokens: 5, totalTokens: 7 },
    10,
  ],
  [
    'halves below the total',
    { input: 1, output: 2, total: 7 },
    { inputTokens: 1, outputTokens: 2, totalTokens: 7 },
    7,
  ],
  [
    'zeros',
    { input: 0, output: 0, total: 0 },
    { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    0,
  ],
])('%s', (_title, reported, usage, total) => {
  expect(tokenUsage(reported)).toEqual(usage);
  expect(usage && totalReportedTokens(usage)).toBe(total);
});

const count = fc.option(fc.nat(1000), { nil: undefined });

test('what was reported is kept, and a number that was not is the rest of the total or absent', () => {
  fc.assert(
    fc.property(fc.record({ input: count, output: count, total: count }), (reported) => {
      const { input, output, total } = reported;
      const usage = tokenUsage(reported) ?? {};
      if (input !== undefined) expect(usage.inputTokens).toBe(input);
      if (output !== undefined) expect(usage.outputTokens).toBe(output);
      expect(usage.totalTokens).toBe(total);
      const made =
        (input === undefined && usage.inputTokens !== undefined) ||
        (output === undefined && usage.outputTokens !== undefined);
      if (made) expect((usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)).toBe(total);
    }),
  );
});
