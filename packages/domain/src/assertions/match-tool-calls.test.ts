import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentMatchings, argumentsMatch } from './argument-matching.ts';
import { defaultMatchOptions, type MatchOptions, toolCallOrders } from './match-options.ts';
import { matchToolCalls } from './match-tool-calls.ts';
import type { ToolCall } from './transcript.ts';

const call = (toolName: string, args: Record<string, unknown> = {}): ToolCall => ({
  toolName,
  arguments: args,
});
const [a, b, c] = [call('a'), call('b'), call('c')];
function match(expected: ToolCall[], actual: ToolCall[], options: Partial<MatchOptions> = {}) {
  return matchToolCalls({ expected, actual, options: { ...defaultMatchOptions, ...options } });
}

describe('order', () => {
  test.each([
    ['ignore', [a, b], [b, a], true],
    ['superset', [a, b], [b, a], false],
    ['superset', [a, b], [c, a, c, b, c], true],
    ['strict', [a, b], [a, b, c], true],
    ['strict', [a, b], [c, a, b], false],
    ['strict', [a, b], [a], false],
  ] as const)('%s', (toolCallOrder, expected, actual, passed) => {
    expect(match([...expected], [...actual], { toolCallOrder }).passed).toBe(passed);
  });

  test('superset goes forward only: what was passed by is missing', () => {
    const result = match([b, a], [a, b], { toolCallOrder: 'superset' });
    expect(result).toMatchObject({ missing: [a], extra: [a], outOfOrder: [] });
  });

  test('superset does not lose its place over a call that is missing', () => {
    const result = match([call('gone'), b], [a, b], { toolCallOrder: 'superset' });
    expect(result).toMatchObject({ missing: [call('gone')], extra: [a] });
  });

  test('ignore is greedy in expected order: a loose call first can starve a specific one', () => {
    const loose = call('s');
    const specific = call('s', { q: 1 });
    const actual = [call('s', { q: 1 }), call('s', { q: 2 })];
    expect(match([specific, loose], actual).passed).toBe(true);
    const starved = match([loose, specific], actual);
    expect(starved.passed).toBe(false);
    expect(starved.argumentMismatches).toEqual([
      { toolName: 's', expectedArgs: { q: 1 }, actualArgs: { q: 2 } },
    ]);
  });
});

describe('differing arguments', () => {
  const wanted = call('s', { q: 1 });
  test('are told apart from a missing call, and use up both calls', () => {
    expect(match([wanted], [call('s', { q: 2 })])).toEqual({
      passed: false,
      missing: [],
      extra: [],
      argumentMismatches: [{ toolName: 's', expectedArgs: { q: 1 }, actualArgs: { q: 2 } }],
      outOfOrder: [],
    });
  });

  test('ignore: the leftmost free call of that name', () => {
    const actual = [call('s', { q: 2 }), call('s', { q: 3 })];
    expect(match([wanted], actual).argumentMismatches[0]?.actualArgs).toEqual({ q: 2 });
  });

  test('strict: the call at the same place only', () => {
    const actual = [a, call('s', { q: 2 })];
    const result = match([wanted], actual, { toolCallOrder: 'strict' });
    expect(result).toMatchObject({ missing: [wanted], argumentMismatches: [], extra: actual });
  });

  test('superset: never left of where the search for it began', () => {
    const early = call('s', { q: 2 });
    const options = { toolCallOrder: 'superset' } as const;
    expect(match([a, wanted], [early, a], options)).toMatchObject({
      missing: [wanted],
      argumentMismatches: [],
      extra: [early],
    });
    expect(match([a, wanted], [a, early], options).argumentMismatches).toHaveLength(1);
  });

  test('do not exist when arguments are ignored', () => {
    const result = match([wanted, wanted], [call('s', { q: 2 })], { argumentMatching: 'ignore' });
    expect(result).toMatchObject({ missing: [wanted], argumentMismatches: [] });
  });
});

describe('where two servers have a tool of one name', () => {
  const ofWiki = { ...call('s', { q: 1 }), serverId: 's2', serverName: 'Wiki' };
  const ofShop = { ...call('s', { q: 1 }), serverId: 's1', serverName: 'Shop' };
  const wanted = { ...call('s', { q: 1 }), serverName: 'Wiki' };

  test.each(toolCallOrders)('%s: an expected call is met by the server it names', (order) => {
    const options = { toolCallOrder: order };
    expect(match([wanted], [ofWiki], options).passed).toBe(true);
    expect(match([wanted], [ofShop], options)).toMatchObject({
      passed: false,
      missing: [wanted],
      extra: [ofShop],
      argumentMismatches: [],
    });
    expect(match([call('s', { q: 1 })], [ofShop], options).passed).toBe(true);
  });

  test('other arguments are told of the named server', () => {
    const other = { ...ofWiki, arguments: { q: 2 } };
    expect(match([wanted], [ofShop, other]).argumentMismatches).toEqual([
      { toolName: 's', serverName: 'Wiki', expectedArgs: { q: 1 }, actualArgs: { q: 2 } },
    ]);
  });
});

test.each([
  [null, true],
  [2, true],
  [1, false],
  [0, false],
])('two extra calls with at most %j allowed: %s', (maxExtraToolCalls, passed) => {
  for (const toolCallOrder of toolCallOrders) {
    expect(match([a], [a, b, c], { maxExtraToolCalls, toolCallOrder }).passed).toBe(passed);
  }
});

test.each([
  [[a, a], true, []],
  [[a, a, a], false, [a]],
  [[a, b], false, [b]],
  [[a], true, []],
])('expected twice and nothing else allowed, %j: %s', (actual, passed, extra) => {
  for (const toolCallOrder of toolCallOrders) {
    const twice = { ...a, minCount: 2 };
    const result = match([twice], actual, { maxExtraToolCalls: 0, toolCallOrder });
    expect(result).toMatchObject({ passed, extra, missing: [] });
  }
});

describe('special cases', () => {
  const options = defaultMatchOptions;
  test('a negative test passes on no call only, whatever it expects', () => {
    const negative = { options, isNegativeTest: true, expected: [a] };
    expect(matchToolCalls({ ...negative, actual: [] })).toMatchObject({
      passed: true,
      missing: [],
    });
    expect(matchToolCalls({ ...negative, actual: [a, b] })).toMatchObject({
      passed: false,
      missing: [],
      extra: [a, b],
    });
  });

  test('a positive test without a call fails with all missing, also with nothing expected', () => {
    expect(match([a, b], [])).toMatchObject({ passed: false, missing: [a, b] });
    expect(match([], [])).toMatchObject({ passed: false, missing: [] });
  });

  test('an unreadable call is no partner of an unreadable expectation', () => {
    expect(match([call('')], [call('')])).toMatchObject({ passed: false, extra: [call('')] });
  });
});

const anyCall: fc.Arbitrary<ToolCall> = fc.record({
  toolName: fc.constantFrom('a', 'b', 'c'),
  arguments: fc.dictionary(fc.constantFrom('x', 'y'), fc.nat(1), { maxKeys: 2 }),
});
const calls = fc.array(anyCall, { maxLength: 8 });
const someCalls = fc.array(anyCall, { minLength: 1, maxLength: 8 });
const anyOptions = fc.record({
  toolCallOrder: fc.constantFrom(...toolCallOrders),
  maxExtraToolCalls: fc.option(fc.nat(4)),
  argumentMatching: fc.constantFrom(...argumentMatchings),
});

describe('for all calls and options', () => {
  test('missing is part of expected, extra is part of actual, and pairing is one to one', () => {
    fc.assert(
      fc.property(calls, calls, anyOptions, (expected, actual, options) => {
        const result = matchToolCalls({ expected, actual, options });
        // Calls are compared by identity. That works because fast-check creates each call as a new
        // object.
        expect(result.missing.every((one) => expected.includes(one))).toBe(true);
        expect(result.extra.every((one) => actual.includes(one))).toBe(true);
        expect(new Set(result.missing).size).toBe(result.missing.length);
        expect(new Set(result.extra).size).toBe(result.extra.length);
        const partnersWanted = expected.length - result.missing.length;
        expect(partnersWanted).toBe(actual.length - result.extra.length);
        expect(result.argumentMismatches.length).toBeLessThanOrEqual(partnersWanted);
        expect(result.outOfOrder).toEqual([]);
        for (const { expectedArgs, actualArgs } of result.argumentMismatches) {
          expect(argumentsMatch(expectedArgs, actualArgs, options.argumentMatching)).toBe(false);
        }
      }),
    );
  });

  test('passing is exactly: nothing missing, nothing differing, not too many extra', () => {
    fc.assert(
      fc.property(calls, someCalls, anyOptions, (expected, actual, options) => {
        const result = matchToolCalls({ expected, actual, options });
        const clean = result.missing.length + result.argumentMismatches.length === 0;
        const few = result.extra.length <= (options.maxExtraToolCalls ?? Number.POSITIVE_INFINITY);
        expect(result.passed).toBe(clean && few);
      }),
    );
  });

  test('a pass under strict is a pass under superset, and that one under ignore', () => {
    // Only the order option differs. Although pairing is greedy, the property holds: a looser order
    // pairs each expected call at the same position or earlier, never with a later call's partner.
    const near = someCalls.chain((actual) =>
      fc.tuple(
        fc.constant(actual),
        fc.oneof(
          calls,
          fc.subarray(actual),
          fc.nat(8).map((n) => actual.slice(0, n)),
        ),
      ),
    );
    let strictPasses = 0;
    let supersetPasses = 0;
    fc.assert(
      fc.property(near, anyOptions, ([actual, expected], options) => {
        const passes = (toolCallOrder: MatchOptions['toolCallOrder']) =>
          matchToolCalls({ expected, actual, options: { ...options, toolCallOrder } }).passed;
        if (passes('strict')) {
          strictPasses += 1;
          expect(passes('superset')).toBe(true);
        }
        if (passes('superset')) {
          supersetPasses += 1;
          expect(passes('ignore')).toBe(true);
        }
      }),
      runsOf(500),
    );
    expect(strictPasses).toBeGreaterThan(20);
    expect(supersetPasses).toBeGreaterThan(strictPasses);
  });

  test('the same calls as expected pass under every order, and each side mirrors the other', () => {
    fc.assert(
      fc.property(someCalls, someCalls, anyOptions, (one, other, options) => {
        const bound = { ...options, maxExtraToolCalls: 0 };
        expect(matchToolCalls({ expected: one, actual: one, options: bound }).passed).toBe(true);
        // If the comparison of arguments is symmetric, swapping the two lists swaps missing and
        // extra calls.
        const even = { ...options, argumentMatching: 'exact', toolCallOrder: 'ignore' } as const;
        const there = matchToolCalls({ expected: one, actual: other, options: even });
        const back = matchToolCalls({ expected: other, actual: one, options: even });
        expect(there.missing).toHaveLength(back.extra.length);
        expect(there.extra).toHaveLength(back.missing.length);
        expect(there.argumentMismatches).toHaveLength(back.argumentMismatches.length);
      }),
    );
  });

  test('allowing more never turns a pass into a failure', () => {
    fc.assert(
      fc.property(calls, someCalls, anyOptions, fc.nat(4), (expected, actual, options, more) => {
        const bound = options.maxExtraToolCalls;
        const wider = { ...options, maxExtraToolCalls: bound === null ? null : bound + more };
        if (!matchToolCalls({ expected, actual, options }).passed) return;
        expect(matchToolCalls({ expected, actual, options: wider }).passed).toBe(true);
      }),
    );
  });
});
