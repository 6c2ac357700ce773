import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moreTrials, mostFurtherTrials } from './more-trials.ts';
import { wilsonInterval } from './wilson-interval.ts';

const of = (passed: number, trials: number) => ({ passed, trials });

test.each([
  ['nothing measured', of(0, 0), 0.8, null],
  ['all passed, threshold 1', of(5, 5), 1, { state: 'beyond', limit: 100 }],
  ['one failed, threshold 1', of(4, 5), 1, { state: 'decided', side: 'below' }],
  ['threshold 0', of(0, 1), 0, { state: 'decided', side: 'at_or_above' }],
  ['all of 5 passed, 0.5', of(5, 5), 0.5, { state: 'decided', side: 'at_or_above' }],
  // With all trials passed, the lower end of the interval is 0.7225 for 10 trials, 0.7961 for 15
  // and 0.8064 for 16.
  ['all of 10 passed, 0.8', of(10, 10), 0.8, { state: 'needed', trials: 6 }],
  ['on the threshold', of(4, 5), 0.8, { state: 'beyond', limit: 100 }],
  ['far below', of(0, 5), 0.5, { state: 'decided', side: 'below' }],
])('%s', (_, counts, threshold, expected) => {
  expect(moreTrials(counts, threshold)).toEqual(expected);
});

const measured = fc
  .integer({ min: 1, max: 100 })
  .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));
const thresholds = fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20);

test('decided is said exactly where the interval lies on one side of the threshold', () => {
  fc.assert(
    fc.property(measured, thresholds, ([passed, trials], threshold) => {
      const { lower, upper } = wilsonInterval(passed, trials) as never;
      const told = moreTrials(of(passed, trials), threshold);
      expect(told?.state === 'decided').toBe(lower >= threshold || upper < threshold);
    }),
  );
});

test('so many more at the same rate are at least nearly enough, and fewer never are', () => {
  fc.assert(
    fc.property(measured, thresholds, ([passed, trials], threshold) => {
      const told = moreTrials(of(passed, trials), threshold);
      if (told?.state !== 'needed') return;
      expect(told.trials).toBeGreaterThanOrEqual(1);
      expect(told.trials).toBeLessThanOrEqual(mostFurtherTrials);
      // Multiples of the measured trials have exactly the same rate, so no rounding affects this
      // check.
      for (const times of [2, 3, 5]) {
        const further = trials * (times - 1);
        const then = moreTrials(of(passed * times, trials * times), threshold);
        expect(then?.state === 'decided').toBe(further >= told.trials);
      }
    }),
  );
});

test('the further the threshold from the rate, the fewer are needed', () => {
  fc.assert(
    fc.property(measured, ([passed, trials]) => {
      const needed = (threshold: number) => {
        const told = moreTrials(of(passed, trials), threshold);
        if (told?.state === 'decided') return 0;
        return told?.state === 'needed' ? told.trials : Number.POSITIVE_INFINITY;
      };
      const rate = passed / trials;
      const steps = Array.from({ length: 21 }, (_, at) => at / 20);
      const below = steps.filter((threshold) => threshold <= rate).map(needed);
      const above = steps.filter((threshold) => threshold > rate).map(needed);
      expect(below).toEqual(below.toSorted((one, other) => one - other));
      expect(above).toEqual(above.toSorted((one, other) => other - one));
    }),
  );
});
