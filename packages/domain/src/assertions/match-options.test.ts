import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentMatchings } from './argument-matching.ts';
import {
  defaultMatchOptions,
  MatchOptionsLayer,
  publicMatchOptions,
  resolveMatchOptions,
  toolCallOrders,
} from './match-options.ts';

test('what no layer states is the default', () => {
  expect(resolveMatchOptions()).toEqual({
    toolCallOrder: 'ignore',
    maxExtraToolCalls: null,
    argumentMatching: 'partial',
  });
  expect(resolveMatchOptions(undefined, {}, undefined)).toEqual(defaultMatchOptions);
});

test('a later layer wins where it states a value, null included; undefined inherits', () => {
  const suite = {
    toolCallOrder: 'strict',
    maxExtraToolCalls: 2,
    argumentMatching: 'exact',
  } as const;
  expect(resolveMatchOptions(suite, { toolCallOrder: undefined })).toEqual(suite);
  expect(resolveMatchOptions(suite, { maxExtraToolCalls: null }).maxExtraToolCalls).toBeNull();
  expect(resolveMatchOptions(suite, { maxExtraToolCalls: null }, { extraToolCalls: 1 })).toEqual({
    ...suite,
    maxExtraToolCalls: 1,
  });
});

test.each([
  [{ toolCallOrder: 'any' }, { toolCallOrder: 'ignore' }],
  [{ toolCallOrder: 'in-order' }, { toolCallOrder: 'superset' }],
  [{ toolCallOrder: 'exact' }, { toolCallOrder: 'strict' }],
  [{ extraToolCalls: 'unlimited' }, { maxExtraToolCalls: null }],
  [{ extraToolCalls: 0 }, { maxExtraToolCalls: 0 }],
  [{ arguments: 'exact' }, { argumentMatching: 'exact' }],
  [{ allowExtraToolCalls: true }, { maxExtraToolCalls: null }],
  [{ allowExtraToolCalls: false }, { maxExtraToolCalls: 0 }],
  [{ allowExtraToolCalls: false, maxExtraToolCalls: 3 }, { maxExtraToolCalls: 3 }],
  [{ allowExtraToolCalls: false, maxExtraToolCalls: null }, { maxExtraToolCalls: null }],
])('%j means %j', (layer, meaning) => {
  const earlier = { toolCallOrder: 'superset', maxExtraToolCalls: 7 } as const;
  expect(resolveMatchOptions(earlier, MatchOptionsLayer.parse(layer))).toMatchObject(meaning);
});

test.each([
  { toolCallOrder: 'random' },
  { extraToolCalls: -1 },
  { extraToolCalls: 1.5 },
  { maxExtraToolCalls: 'unlimited' },
  { arguments: 'loose' },
  { unknown: 1 },
  { arguments: 'exact', argumentMatching: 'partial' },
  { extraToolCalls: 'unlimited', maxExtraToolCalls: 0 },
])('%j is refused', (layer) => {
  expect(MatchOptionsLayer.safeParse(layer).success).toBe(false);
});

test('the public spelling of any options reads back as the same options', () => {
  const anyOptions = fc.record({
    toolCallOrder: fc.constantFrom(...toolCallOrders),
    maxExtraToolCalls: fc.option(fc.nat(9)),
    argumentMatching: fc.constantFrom(...argumentMatchings),
  });
  fc.assert(
    fc.property(anyOptions, anyOptions, (options, earlier) => {
      const layer = MatchOptionsLayer.parse(publicMatchOptions(options));
      expect(resolveMatchOptions(earlier, layer)).toEqual(options);
    }),
  );
});
