import { expect, test } from 'vitest';
import type { AssertionContext } from '../assertions/assertion-kind.ts';
import type { Transcript } from '../assertions/transcript.ts';
import type { Mutant } from './mutant.ts';
import { noticesMutant, suggestAssertion } from './suggest-assertion.ts';

const context: AssertionContext = {
  patterns: { compile: () => ({ problem: 'none here' }) } as never,
  schemas: { check: () => ({ state: 'notChecked', problem: 'none here' }) },
};
const own = { serverName: 'shop', toolName: 'price' };
const saw = (text: string, over: Partial<Transcript> = {}): Transcript => ({
  toolCalls: [{ ...own, arguments: { bookId: 1 }, result: { text } }],
  toolErrors: [],
  finalAssistantMessage: 'Here it is.',
  ...over,
});
const suggest = (mutant: Partial<Mutant>, base: Transcript[], other: Transcript[]) =>
  suggestAssertion(
    { ...own, operator: 'number-off-by-one', ...mutant },
    { base, mutant: other, asksModel: true },
    context,
  );

test('a number that was changed is asked for where it stands', () => {
  const base = saw('{"price":31,"at":1}');
  const found = suggest({ path: '/price' }, [base, base], [saw('{"price":32,"at":1}')]);
  expect(found).toEqual({
    type: 'toolResultPath',
    toolName: 'price',
    pointer: '/price',
    equals: 31,
  });
});

test('a number that is the whole answer is asked for, and so is a short one in a text', () => {
  expect(suggest({}, [saw('4')], [saw('5')])).toMatchObject({ pointer: '', equals: 4 });
  expect(suggest({}, [saw('4 left')], [saw('5 left')])).toMatchObject({ needle: '4' });
});

test('what differs between trials of the base is never suggested', () => {
  const found = suggest(
    { operator: 'empty' },
    [saw('{"at":1,"name":"Ida"}'), saw('{"at":2,"name":"Ida"}')],
    [saw('{}')],
  );
  expect(found).toMatchObject({ pointer: '/name', equals: 'Ida' });
});

test('a plain text is asked for a word that is gone, a failed call for no error', () => {
  expect(suggest({ operator: 'empty' }, [saw('Costs 31 euros.')], [saw('')])).toMatchObject({
    type: 'toolResultContains',
    needle: 'Costs',
  });
  const error = { toolErrors: [{ toolName: 'price', kind: 'content-error', message: '' }] };
  expect(suggest({ operator: 'error' }, [saw('31')], [saw('No.', error as never)])).toEqual({
    type: 'noToolErrors',
  });
});

test('a call that was not made any more is asked for', () => {
  const found = suggest({ operator: 'tool-missing' }, [saw('31')], [{ toolCalls: [] }]);
  expect(found).toMatchObject({ type: 'toolCalledWith', args: { args: { bookId: 1 } } });
});

test('nothing is suggested where nothing differs, and no hidden secret', () => {
  expect(suggest({}, [saw('{"price":31}')], [saw('{"price":31}')])).toBeUndefined();
  const hidden = suggest({ operator: 'empty' }, [saw('{"key":"[hidden]"}')], [saw('{}')]);
  expect(hidden).toMatchObject({ pointer: '/key', exists: true });
});

test('an assertion without an answer notices nothing', () => {
  const assertion = { type: 'toolResultMatchesSchema', schema: {} } as const;
  const seen = { base: [saw('{}')], mutant: [saw('{}')] };
  expect(noticesMutant(assertion, seen, context)).toBe(false);
});
