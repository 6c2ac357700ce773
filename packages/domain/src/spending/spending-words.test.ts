import { expect, test } from 'vitest';
import { estimateRun } from './estimate-run.ts';
import { estimateWords, spendingWords } from './spending-words.ts';

const model = (name: string, repetitions: number, provider = 'local') => ({
  ...{ model: name, provider, repetitions },
});
const price = (name: string, perMillion: number) => ({
  ...{ model: name, provider: 'local', inputPerMillion: perMillion, outputPerMillion: perMillion },
});
const estimate = (more: Partial<Parameters<typeof estimateRun>[0]>, ...variants: object[]) =>
  estimateRun({
    plan: { cases: [{ variants }, { variants }] } as never,
    ...{ prices: [], unpriced: [], tokensPerTrial: new Map(), creditsLeft: null },
    ...more,
  });

/** At a dollar for a million of either, 0.4 credits. */
const tokens = new Map([['a', { inputTokens: 2500, outputTokens: 1500 }]]);

test('a model that is built in costs nothing', () => {
  const free = estimate({ prices: [price('a', 0)] }, model('a', 3));
  expect(free).toMatchObject({ trials: 6, credits: 0, models: [{ trials: 6, cost: 'free' }] });
  expect(estimateWords(free)).toEqual(['6 trials on a.', 'This costs nothing.']);
});

test('a server contract runs without a model', () => {
  const none = estimate({}, { repetitions: 2 });
  expect(estimateWords(none)).toEqual(['4 trials without a model.', 'This costs nothing.']);
});

test('credits are told by what trials cost before, and what is left of today', () => {
  const known = estimate(
    {
      prices: [price('a', 1), price('b', 0)],
      tokensPerTrial: tokens,
      creditsLeft: 1234.5,
    },
    model('a', 2),
    model('b', 1),
  );
  expect(known.credits).toBeCloseTo(1.6, 9);
  expect(estimateWords(known).join(' ')).toBe(
    '6 trials: 4 on a and 2 on b. About 1.6 credits, by the trials of earlier runs. Left today: 1,234.5 credits.',
  );
});

test('what a run may use is told with what it is likely to take', () => {
  const one = estimate({ prices: [price('a', 1)], tokensPerTrial: tokens }, model('a', 2));
  expect(estimateWords(one, 5).at(-1)).toContain('It may use 5 credits, judges included');
  expect(estimateWords(one, 1).at(-1)).toContain('less than it is likely to take');
});

test('what trials used before is told at the price of today, and that it is more than is left', () => {
  const prices = [price('a', 100)];
  const dear = estimate({ prices, tokensPerTrial: tokens, creditsLeft: 79 }, model('a', 1));
  expect(dear.credits).toBeCloseTo(80, 9);
  const last = 'That is not enough: the run will end when they are used up.';
  expect(estimateWords(dear).at(-1)).toBe(last);
  const enough = estimate({ prices, tokensPerTrial: tokens, creditsLeft: 80 }, model('a', 1));
  expect(estimateWords(enough)).not.toContain(last);
});

test('what is not known is told, and is not counted as nothing', () => {
  const unseen = estimate({ prices: [price('a', 1)] }, model('a', 1));
  expect(unseen.credits).toBeNull();
  expect(estimateWords(unseen).join(' ')).toBe(
    '2 trials on a. No earlier run tells what a will cost.',
  );
  const unpriced = estimate({ unpriced: ['a'] }, model('a', 1));
  expect(unpriced.credits).toBeNull();
  expect(estimateWords(unpriced).join(' ')).toBe('2 trials on a. No price is stated for a.');
  const mixed = estimate(
    { prices: [price('a', 1)], unpriced: ['b'], tokensPerTrial: tokens },
    ...[model('a', 1), model('b', 1), model('c', 1)],
  );
  expect(mixed.credits).toBeNull();
  expect(estimateWords(mixed).join(' ')).toBe(
    '6 trials: 2 on a, 2 on b and 2 on c. No price is stated for b. Your own key pays for c. So what it costs in all is not known.',
  );
});

test('of a run that has ended: tokens and credits, and whether a price was known for all', () => {
  const spent = { credits: 3.216, priced: true, inputTokens: 12_300, outputTokens: 1200 };
  expect(spendingWords(spent)).toBe('12,300 tokens in, 1,200 out; 3.22 credits');
  expect(spendingWords({ ...spent, credits: 0.00021 })).toContain('; 0.0002 credits');
  expect(spendingWords({ ...spent, credits: 0 })).toContain('; free');
  const none = { ...spent, credits: 0, inputTokens: 0, outputTokens: 0 };
  expect(spendingWords(none)).toBe('no tokens');
  expect(spendingWords({ ...spent, credits: 1, priced: false })).toBe(
    '12,300 tokens in, 1,200 out; 1 credit and more; not everything has a price',
  );
  expect(spendingWords({ ...spent, credits: 0, priced: false })).toBe(
    '12,300 tokens in, 1,200 out; not everything has a price',
  );
});
