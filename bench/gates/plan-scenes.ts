/**
 * Trial plans: how often they fail a healthy case and pass a dropped one, and their trials: of
 * those two, of a case halfway between them, and of one that passes 30 %.
 */
import {
  decideLook,
  decideTallies,
  makeTrialPlan,
  planOutcome,
  resolvePolicy,
  type TrialPlan,
} from '../../packages/domain/src/index.ts';
import type { Chance } from '../capacity/chance.ts';
import { passedOf, type Scene } from './simulated-row.ts';

const plans = [
  [0.95, 0.8],
  [0.9, 0.7],
  [0.9, 0.75],
  [0.8, 0.6],
  [0.95, 0.85],
  [0.9, 0.8],
  [0.99, 0.9],
] as const;

export function planScenes(): Scene[] {
  return plans.flatMap(([healthyRate, regressedRate]) =>
    [1, 4].map((look) => sceneOf(healthyRate, regressedRate, look)),
  );
}

function sceneOf(healthyRate: number, regressedRate: number, look: number): Scene {
  const drop = Number((healthyRate - regressedRate).toFixed(12));
  const made = makeTrialPlan({ healthyRate, drop, look });
  if ('refusal' in made) throw new Error(made.refusal.message);
  const { plan } = made;
  const halfway = (healthyRate + regressedRate) / 2;
  return {
    part: 'plans',
    name: `${healthyRate} to ${regressedRate}, looks of ${look}`,
    exact: {
      falseFail: plan.exactFalseFail,
      miss: plan.exactMiss,
      trialsHealthy: planOutcome(plan, healthyRate).meanTrials,
      trialsRegressed: planOutcome(plan, regressedRate).meanTrials,
      trialsHalfway: planOutcome(plan, halfway).meanTrials,
      trialsAt30: planOutcome(plan, 0.3).meanTrials,
    },
    play(chance) {
      const healthy = playPlan(plan, healthyRate, chance);
      const regressed = playPlan(plan, regressedRate, chance);
      return {
        falseFail: healthy.passes ? 0 : 1,
        miss: regressed.passes ? 1 : 0,
        trialsHealthy: healthy.trials,
        trialsRegressed: regressed.trials,
        trialsHalfway: playPlan(plan, halfway, chance).trials,
        trialsAt30: playPlan(plan, 0.3, chance).trials,
      };
    },
  };
}

/** The verdict comes from the same policy as in a real run. */
function playPlan(plan: TrialPlan, rate: number, chance: Chance) {
  let passed = 0;
  let trials = 0;
  do {
    passed += passedOf(plan.look, rate, chance);
    trials += plan.look;
  } while (decideLook(plan, { passed, trials }).stop === null);
  const decided = decideTallies(resolvePolicy(), [
    {
      caseId: 'case',
      configuredTrials: trials,
      effectivePassThreshold: plan.passThreshold,
      passedTrials: passed,
      failedTrials: trials - passed,
      runningTrials: 0,
      exclusions: {},
    },
  ]);
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return { trials, passes: decided.decision.verdict === 'passed' };
}
