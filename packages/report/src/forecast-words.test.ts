import { forecastSuite } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { forecastSentences, forecastTitle, runForecastSentences } from './forecast-words.ts';

const terms = { falseFail: 0.05, miss: 0.1, look: 4 };
const prompt = { kind: 'prompt', prompt: 'What is the weather?' } as never;
const one = (more: object = {}) => ({
  planned: {
    caseId: 'cas_1',
    title: 'Weather',
    passThreshold: 0.8,
    steps: [prompt],
    assertions: [],
  },
  variant: { model: 'local/one', repetitions: 5 },
  ...more,
});

const forecastOf = (drop: number, more: object = {}) => {
  const { cases, run } = forecastSuite([one(more)], { ...terms, drop });
  const [first] = cases;
  if (first === undefined) throw new Error('Nothing was forecast.');
  return { first, run };
};

test('a drop that a plan shows, with its cost', () => {
  const { first, run } = forecastOf(0.15, { cost: { credits: 0.5, minutes: 0.2 } });
  expect(forecastSentences(first)).toEqual([
    'Fixed: 38 trials; the case fails if fewer than 34 pass.',
    'Sequential: about 24 trials if it is healthy, 22 after the drop, and at most 40.',
    "Today's 5 trials at a threshold of 80 % see drops of 53.4 % or more in nine of ten runs.",
    'Cost: 12 credits and 4.8 minutes on average, at most 20 credits and 8 minutes; fixed 19 credits and 7.6 minutes.',
  ]);
  expect(runForecastSentences(run)).toEqual([
    'A run of 1 case variant, if all are healthy: about 24 trials and at most 40, or 38 at a fixed number of trials for each case.',
    'It fails although all are healthy in 4.7 % of runs.',
    'Cost: 12 credits and 4.8 minutes on average, at most 20 credits and 8 minutes; fixed 19 credits and 7.6 minutes.',
  ]);
});

test('a drop that 200 trials do not show', () => {
  const { first, run } = forecastOf(0.02);
  expect(forecastSentences(first)[1]).toBe(
    'Sequential: 200 trials cannot show this drop; the smallest drop that they can show is 6.3 %.',
  );
  expect(run).toMatchObject({ fixed: 1196, mean: 1196, worst: 1196, cost: null });
  expect(runForecastSentences(run).at(-1)).toMatch(/^Its cost is not known/);
});

test('a case that asks no model needs one trial', () => {
  const { first, run } = forecastOf(0.1, { variant: { repetitions: 5 } });
  expect(forecastSentences(first)).toEqual([
    'One trial is enough, because no model is asked, or only the built-in model.',
  ]);
  expect(run).toMatchObject({ fixed: 1, mean: 1, worst: 1, falseFailOfRun: 0 });
});

test('an amount that is the same either way is told once', () => {
  const { run } = forecastOf(0.1, { variant: { repetitions: 5 } });
  expect(runForecastSentences(run)[0]).toBe('A run of 1 case variant: 1 trial.');
});

test('the title states both error rates', () => {
  expect(forecastTitle({ ...terms, drop: 0.1 })).toBe(
    'Trials needed to see a drop of 10 %. A healthy case may fail in at most 5 % of runs, and the drop may be missed in at most 10 %.',
  );
});
