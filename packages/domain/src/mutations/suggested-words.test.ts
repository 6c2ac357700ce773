import { describe, expect, test } from 'vitest';
import type { AssertionContext } from '../assertions/assertion-kind.ts';
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { Mutant } from './mutant.ts';
import { type SeenTrials, suggestAssertion } from './suggest-assertion.ts';

const context: AssertionContext = {
  patterns: { compile: () => ({ problem: 'none here' }) } as never,
  schemas: { check: () => ({ state: 'notChecked', problem: 'none here' }) },
};
const own = { serverName: 'shop', toolName: 'price' };
const call = (over: Partial<ToolCall> = {}): ToolCall => ({
  ...own,
  arguments: { id: 1 },
  result: { text: '31' },
  ...over,
});
const saw = (calls: readonly ToolCall[], over: Partial<Transcript> = {}): Transcript => ({
  toolCalls: [...calls],
  toolErrors: [],
  finalAssistantMessage: 'Done.',
  ...over,
});
const textAnswer = (text: string) => saw([call({ result: { text } })]);
const suggest = (
  mutant: Partial<Mutant>,
  base: Transcript,
  other: Transcript,
  seen: Partial<SeenTrials> = {},
) =>
  suggestAssertion(
    { ...own, operator: 'empty', ...mutant },
    { base: [base], mutant: [other], asksModel: true, ...seen },
    context,
  );

describe('for a changed text', () => {
  test.each<readonly [string, string, string, string | undefined]>([
    ['a word that is gone', 'It costs much.', 'It is free.', 'costs'],
    ['a word of three letters', 'A cup.', 'A mug.', 'cup'],
    ['a number however short', 'Yes: 4 of it', 'Yes: 5 of it', '4'],
    ['what is quoted, whole', 'The "old book" is here', 'The is here', 'old book'],
    ['a word without its last sign', 'Paid.', '-', 'Paid'],
    ['a word with a sign inside', 'At 10:30 sharp', 'At sharp', '10:30'],
    ['no word of two letters', 'is at it', '-', undefined],
    ['no word that is there in other letters', 'COSTS', 'costs', undefined],
    ['no word that is part of another', 'cost', 'costs', undefined],
    ['a word of eighty letters', 'x'.repeat(80), '-', 'x'.repeat(80)],
    ['no word of eighty-one letters', 'x'.repeat(81), '-', undefined],
  ])('%s', (_, before, after, needle) => {
    const found = suggest({ operator: 'truncated' }, textAnswer(before), textAnswer(after));
    if (needle === undefined) expect(found).toBeUndefined();
    else expect(found).toEqual({ type: 'toolResultContains', toolName: 'price', needle });
  });

  test('one word is tried after the other, up to twenty', () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, at) => `word${at}x`).join(' ');
    const both = (count: number) =>
      suggestAssertion(
        { ...own, operator: 'truncated' },
        {
          base: [textAnswer(`${words(count)} last`), textAnswer('last')],
          mutant: [textAnswer('-')],
          asksModel: true,
        },
        context,
      );
    expect(both(19)).toMatchObject({ needle: 'last' });
    expect(both(20)).toBeUndefined();
  });

  test('a result that was not captured is not asked about, nor one that stayed', () => {
    const cut = saw([{ ...own, arguments: {} }]);
    expect(suggest({ operator: 'truncated' }, cut, textAnswer('x'))).toBeUndefined();
    const kept = saw([call(), call({ result: { text: 'first' } })]);
    const changed = saw([call(), call({ result: { text: 'other' } })]);
    expect(suggest({}, kept, changed)).toMatchObject({ needle: 'first' });
  });

  test('a changed last answer is asked for where the results tell nothing', () => {
    const base = saw([call()], { finalAssistantMessage: 'It is 31 euros.' });
    const other = saw([call()], { finalAssistantMessage: 'I do not know.' });
    expect(suggest({}, base, other)).toEqual({ type: 'responseContains', needle: '31' });
    const silent = saw([call()], { finalAssistantMessage: undefined as never });
    expect(suggest({}, base, silent)).toMatchObject({ needle: '31' });
    expect(suggest({}, silent, other)).toBeUndefined();
  });
});
