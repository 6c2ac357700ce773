import { expect, test } from 'vitest';
import { planTrials, type RunPlan } from './run-plan.ts';

test('trials are numbered inside their case variant', () => {
  const variant = (model: string) => ({ model, repetitions: 2 });
  const cases = [
    { variants: [variant('a'), variant('b')] },
    { variants: [variant('a')] },
  ] as unknown as RunPlan['cases'];
  const trials = planTrials({ cases });
  expect(trials.map(({ trialNumber }) => trialNumber)).toEqual([1, 2, 1, 2, 1, 2]);
  expect(trials.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3, 4, 5, 6]);
});
