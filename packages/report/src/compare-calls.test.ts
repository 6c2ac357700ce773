import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callText, compareCalls } from './compare-calls.ts';

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
    expect(observed.map(marked)).toEqual(['refund(id: [2], deep: {"a":1,"b":2}, more: true)']);
  });

  test('an argument that is not asked for differs only where they are to be exact', () => {
    const sent = [{ toolName: 'add', arguments: { a: 1, b: 2 } }];
    const asked = { toolName: 'add', arguments: { a: 1 } };
    expect(compareCalls([asked], sent).observed.map(marked)).toEqual(['add(a: 1, b: 2)']);
    const exact = compareCalls([{ ...asked, argumentMatching: 'exact' }], sent);
    expect(exact.observed.map(marked)).toEqual(['add(a: 1, [b]: 2)']);
    const any = compareCalls([{ toolName: 'add', arguments: { a: 'any', b: 'number' } }], sent);
    expect([...any.expected, ...any.observed].map(marked)).toEqual([
      'add(a: "any", b: "number")',
      'add(a: 1, b: 2)',
    ]);
  });

  test('a call made too seldom lacks one, one that was never made meets nothing', () => {
    const twice = { toolName: 'add', arguments: { a: 1 }, minCount: 2 };
    const made = { toolName: 'add', arguments: { a: 1, b: 2 } };
    const seldom = compareCalls([twice], [made]);
    expect(seldom.expected.map(marked)).toEqual(['add(a: 1)[ (at least 2 times)]']);
    expect(seldom.observed.map(marked)).toEqual(['add(a: 1, b: 2)']);
    const enough = compareCalls([twice], [made, made, made], { missing: true, extra: false });
    expect([...enough.expected, ...enough.observed].map(marked).join()).not.toMatch(/\[/);
    const unmade = compareCalls([{ toolName: 'add' }], [{ ...made, notMade: 'notOffered' }]);
    expect(unmade.expected.map(marked)).toEqual(['[add]()']);
    expect(unmade.observed.map(marked)).toEqual(['[add](a: 1, b: 2) (asked for, not made)']);
  });

  test('a call of another turn is another call, and is told with its turn', () => {
    const inTurn = (promptIndex: number, more: object = {}) => ({
      toolName: 'add',
      arguments: { a: 1 },
      promptIndex,
      ...more,
    });
    const other = compareCalls([inTurn(1)], [inTurn(0)], { missing: true, extra: false });
    expect([...other.expected, ...other.observed].map(marked)).toEqual([
      '[add](a: 1) in turn 2',
      'add(a: 1) in turn 1',
    ]);
    const twice = compareCalls([inTurn(1, { minCount: 2 })], [inTurn(0), inTurn(1)]);
    expect(twice.expected.map(marked)).toEqual(['add(a: 1) in turn 2 (at least 2 times by then)']);
  });

  test('a call that meets the expectation is its partner, wherever it stands', () => {
    const call = (a: number) => ({ toolName: 'add', arguments: { a } });
    const { expected, observed } = compareCalls([call(1)], [call(2), call(1)], {
      missing: true,
      extra: false,
    });
    expect([...expected, ...observed].map(marked)).toEqual(['add(a: 1)', 'add(a: 2)', 'add(a: 1)']);
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
