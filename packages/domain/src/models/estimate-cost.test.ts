import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannedPrice } from '../suites/planned-case.ts';
import { estimateCost, type SpentTokens } from './estimate-cost.ts';

const price = (model: string, input: number, output: number, provider?: string): PlannedPrice => ({
  model,
  ...(provider === undefined ? {} : { provider }),
  inputPerMillion: input,
  outputPerMillion: output,
});

const spent = (model: string, inputTokens: number, outputTokens: number): SpentTokens => ({
  model,
  provider: null,
  trials: 1,
  unmeasured: 0,
  inputTokens,
  outputTokens,
});

const tokens = fc.integer({ min: 0, max: 1_000_000_000 });
const dollars = fc.double({ min: 0, max: 10_000, noNaN: true });
const models = ['a', 'b', 'c'];
const anyPrices = fc
  .tuple(...models.map((model) => fc.tuple(fc.constant(model), dollars, dollars)))
  .map((all) => all.map(([model, input, output]) => price(model, input, output)));
const anySpent = fc.array(
  fc.tuple(fc.constantFrom(...models), tokens, tokens).map((one) => spent(...one)),
);

describe('what a run costs', () => {
  test('is tokens times price, and prices are taken as they are written', () => {
    const prices = [price('a', 1.1, 0.3), price('b', 1e-7, 2)];
    expect(estimateCost([spent('a', 3, 1)], prices)).toBe(0.0000036);
    expect(estimateCost([spent('a', 1_000_000, 0), spent('b', 10, 50_000)], prices)).toBe(
      1.200000000001,
    );
    expect(estimateCost([spent('a', 1_000_000, 0)], [price('a', 1e21, 0)])).toBe(1e21);
    expect(estimateCost([], prices)).toBe(0);
    expect(estimateCost([spent('a', 1.5, 1)], prices)).toBeNull();
  });

  test('does not depend on the order of the trials or on how they are put together', () => {
    fc.assert(
      fc.property(anySpent, anyPrices, (all, prices) => {
        const together = models.map((model) => {
          const own = all.filter((one) => one.model === model);
          const sum = (half: 'inputTokens' | 'outputTokens') =>
            own.reduce((before, one) => before + one[half], 0);
          return { ...spent(model, sum('inputTokens'), sum('outputTokens')), trials: own.length };
        });
        const cost = estimateCost(all, prices);
        expect(estimateCost([...all].reverse(), prices)).toBe(cost);
        expect(estimateCost(together, prices)).toBe(cost);
      }),
    );
  });

  test('lies as near to the same sum in floating point as that is exact', () => {
    fc.assert(
      fc.property(anySpent, anyPrices, (all, prices) => {
        let about = 0;
        for (const { model, inputTokens, outputTokens } of all) {
          const one = prices.find((price) => price.model === model);
          about += inputTokens * (one?.inputPerMillion ?? 0) * 1e-6;
          about += outputTokens * (one?.outputPerMillion ?? 0) * 1e-6;
        }
        const cost = estimateCost(all, prices) ?? Number.NaN;
        expect(Math.abs(cost - about)).toBeLessThanOrEqual(about * 1e-12 + 1e-300);
      }),
    );
  });

  test('is unknown as soon as one trial used a model without a price or does not tell its tokens', () => {
    const unknown: SpentTokens[] = [
      spent('unpriced', 1, 1),
      { ...spent('a', 1, 1), trials: 2, unmeasured: 1 },
      { ...spent('a', 1, 1), provider: 'other' },
      { ...spent('a', 1, 1), model: null },
    ];
    fc.assert(
      fc.property(anySpent, anyPrices, fc.constantFrom(...unknown), (all, prices, one) => {
        expect(estimateCost([...all, one], prices)).toBeNull();
        expect(estimateCost([one, ...all], prices)).toBeNull();
      }),
    );
  });

  test('leaves out a model that no trial used, and tells two providers of one name apart', () => {
    const prices = [price('a', 1, 1, 'one'), price('a', 2, 2, 'two')];
    const none = { ...spent('unpriced', 0, 0), trials: 0 };
    const used = { ...spent('a', 1_000_000, 0), provider: 'two' };
    expect(estimateCost([none, used], prices)).toBe(2);
  });
});
