import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctTargets, findingsOfRuns, goalTotals, type OverviewRun } from './overview.ts';
import type { CriterionCounts } from './scorecard.ts';

function criterionOf(id: string, failCount: number, role: 'gating' | 'advisory' = 'gating') {
  const one: CriterionCounts = {
    id,
    label: null,
    kind: 'noToolErrors',
    role,
    passCount: 4 - failCount,
    failCount,
    pendingCount: 0,
    failedGradingCount: 0,
    failRate: failCount / 4,
    interval: null,
    failReasons: [],
  };
  return one;
}

function runOf(more: Partial<OverviewRun> = {}): OverviewRun {
  return {
    journeyId: 'j',
    createdAt: 0,
    goalCompletion: null,
    sessionsGraded: 4,
    criteria: [],
    ...more,
  };
}

test('only the newest run of a journey tells what fails, the most frequent first, then as the snapshot says', () => {
  const criteria = [
    ...[criterionOf('a', 1), criterionOf('b', 3), criterionOf('c', 1), criterionOf('d', 0)],
    criterionOf('e', 4, 'advisory'),
  ];
  const [newest, older, other] = findingsOfRuns([
    runOf({ criteria }),
    runOf({ criteria }),
    runOf({ journeyId: 'k', criteria: [criterionOf('a', 2)] }),
  ]);
  expect(newest?.map(({ criterionId }) => criterionId)).toEqual(['b', 'a', 'c']);
  expect(older).toEqual([]);
  expect(other).toMatchObject([{ criterionId: 'a', failCount: 2, runStreak: 1 }]);
});

test('a streak goes back over failing runs; what did not grade the criterion neither counts nor breaks it', () => {
  const fails = runOf({ criteria: [criterionOf('a', 1)] });
  const holds = runOf({ criteria: [criterionOf('a', 0)] });
  const ungraded = runOf({ sessionsGraded: 0, criteria: [criterionOf('a', 0)] });
  const without = runOf();
  const another = runOf({ journeyId: 'k', criteria: [criterionOf('a', 0)] });
  const rows = [
    [[fails], 1],
    [[fails, fails, holds, fails], 2],
    [[fails, ungraded, without, another, fails], 2],
    [[fails, holds], 1],
  ] as const;
  for (const [runs, streak] of rows) {
    expect(findingsOfRuns(runs)[0]?.[0]?.runStreak).toBe(streak);
  }
});

test('totals and the trend are over judged sessions, by UTC day, and nothing judged is no rate', () => {
  const judged = (gradedCount: number, passedCount: number) => ({
    gradedCount,
    passedCount,
    avgScore: 0.5,
    pendingCount: 0,
    failedCount: 1,
  });
  const day = 86_400_000;
  const runs = [
    runOf({ createdAt: day + 5, goalCompletion: judged(4, 1) }),
    runOf({ createdAt: day - 1, goalCompletion: judged(2, 2) }),
    runOf({ createdAt: 3, goalCompletion: judged(2, 0) }),
    runOf({ createdAt: 3 * day, goalCompletion: judged(0, 0) }),
  ];
  expect(goalTotals(runs)).toEqual({
    gradedCount: 8,
    passedCount: 3,
    passRate: 3 / 8,
    runsWithGrades: 3,
    trend: [
      { dayStartMs: 0, gradedCount: 4, passedCount: 2, passRate: 0.5 },
      { dayStartMs: day, gradedCount: 4, passedCount: 1, passRate: 0.25 },
    ],
  });
  expect(goalTotals([runOf()])).toMatchObject({ passRate: null, trend: [] });
});

test('targets that read alike are shown once', () => {
  const one = { hostName: 'h', modelId: 'm' };
  const inOne = { ...one, environmentName: 'e' };
  expect(distinctTargets([one, inOne, { ...one }, inOne])).toEqual([one, inOne]);
});

test('no streak is longer than the runs of its journey, nor shorter than the run it stands on', () => {
  const anyRun = fc.record({
    journeyId: fc.constantFrom('j', 'k'),
    sessionsGraded: fc.constantFrom(0, 4),
    criteria: fc.nat(4).map((failCount) => [criterionOf('a', failCount)]),
  });
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 20 }), (some) => {
      const runs = some.map((one) =>
        runOf(one.sessionsGraded === 0 ? { ...one, criteria: [criterionOf('a', 0)] } : one),
      );
      for (const [index, findings] of findingsOfRuns(runs).entries()) {
        const own = runs
          .slice(index)
          .filter(({ journeyId }) => journeyId === runs[index]?.journeyId);
        for (const { runStreak } of findings) {
          expect(runStreak).toBeGreaterThanOrEqual(1);
          expect(runStreak).toBeLessThanOrEqual(own.length);
        }
      }
    }),
  );
});
