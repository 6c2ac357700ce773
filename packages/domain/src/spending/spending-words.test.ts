import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateRun } from './estimate-run.ts';
import { estimateWords, spendingWords } from './spending-words.ts';

const model = (name: string, repetitions: number, provider = 'local') => ({
  model: name,
  provider,
  repetitions,
});
const price = (name: string, perMillion: number) => ({
  model: name,
  provider: 'local',
  inputPerMillion: perMillion,
  outputPerMillion: perMillion,
});
const plannedCase = (variants: object[], assertions: object[] = []) => ({
  variants,
  assertions,
  steps: [{ id: 'ask', kind: 'prompt', prompt: 'Hi' }],
});
const estimate = (more: Partial<Parameters<typeof estimateRun>[0]>, ...variants: object[]) =>
  estimateRun({
    plan: { cases: [plannedCase(variants), plannedCase(variants)] } as never,
    prices: [],
    unpriced: [],
    creditsLeft: null,
    tokensPerTrial: new Map(),
    judgeTokensPerTrial: new Map(),
    ...more,
  });

/** Tokens per trial that cost 0.4 credits at one dollar per million tokens. */
const tokens = new Map([['a', { inputTokens: 2500, outputTokens: 1500 }]]);

test('a model that is built in costs nothing', () => {
  const free = estimate({ prices: [price('a', 0)] }, model('a', 3));
  expect(free).toMatchObject({ trials: 6, credits: 0, models: [{ trials: 6, cost: 'free' }] });
  expect(estimateWords(free)).toEqual(['6 trials on a.', 'This costs nothing.']);
});

describe('a replay', () => {
  const sides = { runId: 'run_1', servers: 'recorded' } as const;
  const judge = { autoRun: true, model: 'a', provider: 'local' };
  const replayed = (terms: object, more: object = {}) => {
    const cases = [plannedCase([model('a', 2)])];
    const plan = { cases, replay: { ...sides, onDivergence: 'stop', ...terms }, ...more } as never;
    const known = { prices: [price('a', 1)], tokensPerTrial: tokens, judgeTokensPerTrial: tokens };
    return estimate({ ...known, plan });
  };

  test('with its model recorded uses no credits but those of its judges', () => {
    const none = replayed({ model: 'recorded' });
    expect(none).toMatchObject({ trials: 2, credits: 0, models: [], modelAsked: 'never' });
    expect(estimateWords(none)).toEqual([
      ...[
        '2 trials, as recorded.',
        'This costs nothing, because the answers of models are recorded.',
      ],
    ]);
    const judged = replayed({ model: 'recorded' }, { judge });
    // The tokens that the judge uses are unknown.
    expect(judged).toMatchObject({ models: [], judges: [{ model: 'local/a' }], credits: null });
    expect(estimateWords(judged).slice(1)).toEqual([
      'The answers of models are recorded and cost nothing. Judges may be asked live:',
      expect.stringContaining('local/a'),
    ]);
  });

  test('that may go on live uses at most what a run does, and says when', () => {
    const some = replayed({ model: 'recorded', onDivergence: 'live' });
    expect(some).toMatchObject({ credits: 0.8, modelAsked: 'ifDiverged' });
    expect(estimateWords(some).slice(1)).toEqual([
      'Nothing, unless a trial diverges from its recording. Then at most the cost of a run:',
      'About 0.8 credits, estimated from the trials of earlier runs.',
    ]);
  });

  test('with a live model is priced as a run is', () => {
    const live = replayed({ model: 'live' });
    expect(live).toMatchObject({ credits: 0.8, models: [{ trials: 2 }], modelAsked: 'always' });
    expect(estimateWords(live).at(-1)).toBe(
      'About 0.8 credits, estimated from the trials of earlier runs.',
    );
  });
});

test('a server contract runs without a model', () => {
  const none = estimate({}, { repetitions: 2 });
  expect(estimateWords(none)).toEqual(['4 trials, without a model.', 'This costs nothing.']);
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
    '6 trials: 4 on a and 2 on b. About 1.6 credits, estimated from the trials of earlier runs. Left today: 1,234.5 credits.',
  );
});

test('what a run may use is told with what it is likely to take', () => {
  const one = estimate({ prices: [price('a', 1)], tokensPerTrial: tokens }, model('a', 2));
  expect(estimateWords(one, 5).at(-1)).toContain('The run may use 5 credits, judges included');
  expect(estimateWords(one, 1).at(-1)).toContain('probably needs more credits');
});

test('what trials used before is told at the price of today, and that it is more than is left', () => {
  const prices = [price('a', 100)];
  const dear = estimate({ prices, tokensPerTrial: tokens, creditsLeft: 79 }, model('a', 1));
  expect(dear.credits).toBeCloseTo(80, 9);
  const last = 'That is not enough: the run will end when the credits are used up.';
  expect(estimateWords(dear).at(-1)).toBe(last);
  const enough = estimate({ prices, tokensPerTrial: tokens, creditsLeft: 80 }, model('a', 1));
  expect(estimateWords(enough)).not.toContain(last);
});

test('what is not known is told, and is not counted as nothing', () => {
  const unseen = estimate({ prices: [price('a', 1)] }, model('a', 1));
  expect(unseen.credits).toBeNull();
  expect(estimateWords(unseen).join(' ')).toBe(
    '2 trials on a. No earlier run shows what a will cost.',
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
    '6 trials: 2 on a, 2 on b and 2 on c. No price is stated for b. Your own key pays for c. The total cost is therefore unknown.',
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
    '12,300 tokens in, 1,200 out; 1 credit and more; some models have no price',
  );
  expect(spendingWords({ ...spent, credits: 0, priced: false })).toBe(
    '12,300 tokens in, 1,200 out; some models have no price',
  );
});

test('a run without any model says so', () => {
  const contract = estimate({}, { repetitions: 3 });
  expect(estimateWords(contract)).toEqual(['6 trials, without a model.', 'This costs nothing.']);
  const both = estimate({ prices: [price('a', 0)] }, { repetitions: 1 }, model('a', 1));
  expect(estimateWords(both)[0]).toBe('4 trials: 2 on a and 2 without a model.');
});

describe('judges', () => {
  const goal = (votes?: 1 | 3 | 5, judgeModel = 'j') => ({
    type: 'goalCompleted',
    outcome: 'Done.',
    judgeModel,
    ...(votes !== undefined && { votes }),
  });
  const judged = (
    assertions: object[],
    more: Partial<Parameters<typeof estimateRun>[0]> = {},
    judge?: object,
  ) =>
    estimate({
      plan: { cases: [plannedCase([model('a', 4)], assertions)], judge } as never,
      prices: [price('a', 0), price('j', 1)],
      ...more,
    });

  test('are counted with their votes, and told with what they cost', () => {
    const judgeTokensPerTrial = new Map([['j', { inputTokens: 2500, outputTokens: 1500 }]]);
    const known = judged([goal(3)], { judgeTokensPerTrial });
    expect(known.judges).toMatchObject([{ model: 'j', trials: 4, questions: 12, cost: 'priced' }]);
    expect(known.credits).toBeCloseTo(1.6, 9);
    expect(estimateWords(known).join(' ')).toBe(
      '4 trials on a. Judges are asked at most 12 questions on j. About 1.6 credits, estimated from the trials of earlier runs.',
    );
  });

  test('that nobody asked before make the sum unknown, and one without a price is told', () => {
    expect(judged([goal()]).credits).toBeNull();
    expect(estimateWords(judged([goal()])).at(-1)).toBe('No earlier run shows what j will cost.');
    const unpriced = judged([goal()], { prices: [price('a', 0)], unpriced: ['j'] });
    expect(estimateWords(unpriced).at(-1)).toBe('No price is stated for j.');
  });

  test('asked at the end of the run are asked of the goal and of what the answer rests on', () => {
    const ofRun = { model: 'k', threshold: 0.7, autoRun: true };
    const both = judged([goal(5)], {}, ofRun);
    expect(estimateWords(both)[1]).toBe(
      'Judges are asked at most 28 questions: 20 on j and 8 on k.',
    );
    expect(judged([], {}, { ...ofRun, autoRun: false }).judges).toEqual([]);
  });

  test('are asked votes times trials, whatever else is asked', () => {
    const rows = fc.array(fc.constantFrom<1 | 3 | 5 | undefined>(1, 3, 5, undefined));
    fc.assert(
      fc.property(rows, (votes) => {
        const asked = judged(votes.map((one) => goal(one))).judges;
        const sum = votes.reduce<number>((all, one = 1) => all + one, 0);
        expect(asked.map(({ questions }) => questions)).toEqual(sum === 0 ? [] : [sum * 4]);
      }),
    );
  });
});
