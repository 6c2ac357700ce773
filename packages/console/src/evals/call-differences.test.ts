import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callText, compareCalls } from './call-differences.ts';

const marked = (line: readonly { text: string; isDifferent: boolean }[] | undefined) =>
  line?.map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text)).join('');

describe('expected beside observed', () => {
  test('names the servers where an expected call does, and the wrong one differs', () => {
    const call = (serverName?: string) => ({ toolName: 'sum', serverName, arguments: { a: 1 } });
    const plain = compareCalls([call()], [call('A')]);
    expect(plain.observed[0]?.[0]).toEqual({ text: 'sum', isDifferent: false });
    const named = compareCalls([call('B')], [call('A')]);
    expect(named.expected[0]?.[0]).toEqual({ text: 'B / sum', isDifferent: true });
    expect(named.observed[0]?.[0]).toEqual({ text: 'A / sum', isDifferent: true });
  });

  test('a call nobody made and one nobody expected are marked by their names', () => {
    const { expected, observed } = compareCalls(
      [{ toolName: 'search_orders', arguments: { email: 'a@b.c' } }],
      [{ toolName: 'search_customers', arguments: { query: 'a@b.c' } }],
    );
    expect(expected.map(marked)).toEqual(['[search_orders](email: "a@b.c")']);
    expect(observed.map(marked)).toEqual(['[search_customers](query: "a@b.c")']);
  });

  test('of two calls of one name, what differs is marked: a value, or the name of an argument', () => {
    const { expected, observed } = compareCalls(
      [{ toolName: 'refund', arguments: { id: 1, why: 'late', deep: { a: 1, b: 2 } } }],
      [{ toolName: 'refund', arguments: { id: 2, deep: { b: 2, a: 1 }, more: true } }],
    );
    expect(expected.map(marked)).toEqual(['refund(id: [1], [why]: "late", deep: {"a":1,"b":2})']);
    expect(observed.map(marked)).toEqual(['refund(id: [2], deep: {"a":1,"b":2}, [more]: true)']);
  });

  test('each call has one partner: the same call made twice is one too many', () => {
    const { observed } = compareCalls(
      [{ toolName: 'add' }],
      [{ toolName: 'add' }, { name: 'add' }],
    );
    expect(observed.map(marked)).toEqual(['add()', '[add]()']);
  });

  test('nothing is marked where both sides are the same, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), (calls) => {
        const { expected, observed } = compareCalls(calls, structuredClone(calls));
        expect([...expected, ...observed].flat().some(({ isDifferent }) => isDifferent)).toBe(
          false,
        );
      }),
    );
  });

  test('a call is one line of text', () => {
    expect(callText({ toolName: 'add', arguments: { a: 1, b: [2] } })).toBe('add(a: 1, b: [2])');
    expect(callText(null)).toBe('(no name)()');
  });
});
