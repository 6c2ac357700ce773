import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { readUsage } from './read-usage.ts';

function usage(
  input: number | undefined,
  output: number | undefined,
  raw?: LanguageModelV3Usage['raw'],
): LanguageModelV3Usage {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
    ...(raw !== undefined && { raw }),
  };
}

test.each([
  [
    'all three',
    usage(10, 5, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
    [10, 5, 15],
  ],
  ['two halves', usage(10, 5, { input_tokens: 10, output_tokens: 5 }), [10, 5, 15]],
  ['the total and the input', usage(10, 0, { prompt_tokens: 10, total_tokens: 15 }), [10, 5, 15]],
  [
    'the total and the output',
    usage(0, 5, { completion_tokens: 5, total_tokens: 15 }),
    [10, 5, 15],
  ],
  ['the total alone', usage(0, 0, { total_tokens: 15 }), [undefined, undefined, 15]],
  ['one half alone', usage(10, 0, { prompt_tokens: 10 }), [10, undefined, undefined]],
  [
    'a total below its half',
    usage(10, 0, { prompt_tokens: 10, total_tokens: 4 }),
    [10, undefined, 4],
  ],
  ['a true zero', usage(10, 0, { prompt_tokens: 10, completion_tokens: 0 }), [10, 0, 10]],
  ['zeros of the package alone', usage(0, 0), [undefined, undefined, undefined]],
  ['figures without what was sent', usage(7, 3), [7, 3, 10]],
  [
    'nonsense',
    usage(-1, 2.5, { prompt_tokens: -1, completion_tokens: 2.5 }),
    [undefined, undefined, undefined],
  ],
  ['nothing', undefined, [undefined, undefined, undefined]],
] as const)('usage of %s is counted and nothing is made up', (_, given, [input, output, total]) => {
  const read = readUsage(given);
  expect([read.inputTokens, read.outputTokens, read.totalTokens]).toEqual([input, output, total]);
});
