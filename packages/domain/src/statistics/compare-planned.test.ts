/**
 * Fisher's exact test takes the numbers of trials as fixed, which a trial plan decides by the
 * results. This is what it costs, computed exactly over all ends of two plans.
 */
import { expect, test } from 'vitest';
import { decideLook } from './decide-look.ts';
import { fisherExact } from './fisher-exact.ts';
import { planTerms } from './stated-trial-plan.ts';
import { planOf, type TrialPlan } from './trial-plan.ts';

interface End {
  readonly passed: number;
  readonly trials: number;
  readonly chance: number;
}

function endsOf(plan: TrialPlan, rate: number): End[] {
  const ends: End[] = [];
  let going = new Map([[0, 1]]);
  for (let trials = 1; going.size > 0; trials += 1) {
    const next = new Map<number, number>();
    for (const [passed, chance] of going) {
      next.set(passed, (next.get(passed) ?? 0) + chance * (1 - rate));
      next.set(passed + 1, (next.get(passed + 1) ?? 0) + chance * rate);
    }
    going = next;
    if (trials % plan.look !== 0) continue;
    for (const [passed, chance] of next) {
      if (decideLook(plan, { passed, trials }).stop === null) continue;
      ends.push({ passed, trials, chance });
      going.delete(passed);
    }
  }
  return ends;
}

const known = new Map<string, number>();

function fisherOf(base: End, compare: End): number {
  const key = [base.passed, base.trials, compare.passed, compare.trials].join(' ');
  const found = known.get(key) ?? fisherExact(base, compare) ?? 1;
  known.set(key, found);
  return found;
}

function chanceOfCall(ends: readonly End[], level: number): number {
  return ends
    .flatMap((base) => ends.map((compare) => ({ base, compare })))
    .filter(({ base, compare }) => fisherOf(base, compare) <= level)
    .reduce((sum, { base, compare }) => sum + base.chance * compare.chance, 0);
}

test.each([
  [0.95, 0.15],
  [0.9, 0.2],
  [0.8, 0.2],
])('an unchanged case with a plan from %d by %d is seldom called changed', (healthyRate, drop) => {
  const plan = planOf(planTerms({ healthyRate, drop }));
  if (plan === undefined) throw new Error('There is no such plan.');
  expect(chanceOfCall(endsOf(plan, healthyRate), 0.05)).toBeLessThan(0.025);
  for (const rate of [0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9]) {
    const ends = endsOf(plan, rate);
    expect(chanceOfCall(ends, 0.05)).toBeLessThan(0.11);
    expect(chanceOfCall(ends, 0.05 / 20)).toBeLessThan(0.05 / 20);
  }
});
