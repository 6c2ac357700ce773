import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planOutcome } from '../statistics/plan-outcome.ts';
import { makeTrialPlan } from '../statistics/trial-plan.ts';
import { smallestVisibleDrop } from '../statistics/visible-drop.ts';
import type { BaselineAtGate } from './run-gate.ts';
import { unseenDrop } from './unseen-drop.ts';

const tried = (eligibleTrials: number, effectivePassThreshold = 0.8) => ({
  eligibleTrials,
  effectivePassThreshold,
});

test.each([
  ['one trial', [tried(1, 1)], 0.2, 0.85],
  ['trials enough', [tried(60, 0.85)], 0.2, undefined],
  ['one case of too few trials', [tried(60, 0.85), tried(1, 1)], 0.2, 0.85],
  ['a case without a graded trial', [tried(60, 0.85), tried(0)], 0.2, null],
  ['no case', [], 0.2, null],
])('a gate with %s', (_, cases, drop, smallestDrop) => {
  expect(unseenDrop({ drop }, cases)).toEqual(
    smallestDrop === undefined ? null : { drop, smallestDrop },
  );
});

test('the smallest drop is seen by the gate, and what is less is not', () => {
  const cases = fc.array(
    fc.integer({ min: 1, max: 60 }).map((trials) => tried(trials, 0.9)),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  fc.assert(
    fc.property(cases, (given) => {
      const found = unseenDrop({ drop: 0.001 }, given);
      const smallest = given.map(({ eligibleTrials: trials }) =>
        smallestVisibleDrop({ trials, passThreshold: 0.9 }, 0.95),
      );
      if (found?.smallestDrop == null) return expect(smallest).toContain(null);
      expect(unseenDrop({ drop: found.smallestDrop }, given)).toBeNull();
      expect(unseenDrop({ drop: found.smallestDrop - 0.001 }, given)).not.toBeNull();
    }),
    { numRuns: 30 },
  );
});

test('a higher healthy rate is dropped from', () => {
  const cases = [tried(20, 0.9)];
  const smallestAt = (healthyRate: number) =>
    unseenDrop({ drop: 0.001, healthyRate }, cases)?.smallestDrop as number;
  expect(smallestAt(0.99)).toBeGreaterThan(smallestAt(0.95));
});

function baseline(pairs: number, trials: number, standardError: number | null): BaselineAtGate {
  const side = { passedTrials: trials, eligibleTrials: trials };
  const cases = Array.from({ length: pairs }, (_, at) => ({
    caseKey: `case-${at}`,
    title: '',
    status: 'unchanged',
    configChanged: false,
    base: side,
    compare: side,
  }));
  return { cases, paired: { clusters: pairs, standardError } } as never;
}

test('a comparison sees a drop if its pairs are many and alike', () => {
  expect(unseenDrop({ drop: 0.2 }, [], baseline(40, 5, 0.02))).toBeNull();
  expect(unseenDrop({ drop: 0.02 }, [], baseline(40, 5, 0.02))?.smallestDrop).toBeGreaterThan(0.02);
  expect(unseenDrop({ drop: 0.2 }, [], baseline(40, 5, 0.2))).not.toBeNull();
  expect(unseenDrop({ drop: 0.2 }, [], baseline(5, 5, 0))).toEqual({
    drop: 0.2,
    smallestDrop: null,
  });
  const none = { ...baseline(40, 5, 0.02), paired: null };
  expect(unseenDrop({ drop: 0.2 }, [], none)).toEqual({ drop: 0.2, smallestDrop: null });
});

test('a planned case sees what its plan promises, however early it stopped', () => {
  const made = makeTrialPlan({ healthyRate: 0.9, drop: 0.2 });
  if ('refusal' in made) throw new Error('This plan exists.');
  const { plan } = made;
  const carriedOut = { ...plan, caseId: 'a', testCaseId: 'a', trials: 12, passed: 12, walk: [] };
  const planned = {
    ...tried(12, plan.passThreshold),
    plan: { ...carriedOut, stop: 'passedEarly' as const },
  };
  expect(unseenDrop({ drop: 0.2 }, [planned])).toBeNull();
  const { smallestDrop } = unseenDrop({ drop: 0.1 }, [planned]) as { smallestDrop: number };
  const missedAt = (drop: number) => planOutcome(plan, 0.9 - drop).passes;
  expect(missedAt(smallestDrop)).toBeLessThanOrEqual(0.1);
  expect(missedAt(smallestDrop - 0.001)).toBeGreaterThan(0.1);
  // Without their trial plan, the same trials cannot show a drop of 20 %.
  const { plan: _, ...alone } = planned;
  expect(unseenDrop({ drop: 0.2, healthyRate: 0.9 }, [alone])).not.toBeNull();
});
