/**
 * Forecasts the effort to detect a stated drop in each case of a suite: trials by a fixed and by a
 * sequential plan, the smallest drop that the present settings can detect, and the cost. A
 * deterministic case variant is played once.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { type CaseForecast, forecastCase } from '../statistics/forecast-case.ts';
import {
  defaultFalseFail,
  defaultLook,
  defaultMiss,
  type PlanTerms,
} from '../statistics/stated-trial-plan.ts';
import { falseFailOfRun } from '../statistics/trial-plan.ts';
import { defaultHealthyRate } from '../statistics/visible-drop.ts';
import { isDeterministic } from './plan-variants.ts';
import type { PlannedCase, PlannedVariant } from './planned-case.ts';

export interface CostOfTrial {
  /** Null if the model has no price, or its tokens are not known. */
  readonly credits: number | null;
  readonly minutes: number;
}

export interface ForecastCosts {
  readonly fixed: CostOfTrial;
  readonly mean: CostOfTrial;
  readonly worst: CostOfTrial;
}

export interface VariantToForecast {
  readonly planned: Pick<
    PlannedCase,
    'caseId' | 'title' | 'passThreshold' | 'steps' | 'assertions'
  >;
  readonly variant: PlannedVariant;
  /** Absent if the case variant has no history. */
  readonly cost?: CostOfTrial | undefined;
  /** Whether its results leave nothing to chance (default: as its steps and assertions say). */
  readonly deterministic?: boolean;
}

export interface VariantForecast extends CaseForecast {
  readonly testCaseId: string;
  readonly title: string;
  readonly model: string | null;
  readonly healthyRate: number;
  readonly deterministic: boolean;
  readonly cost: ForecastCosts | null;
}

export interface RunForecast {
  readonly cases: number;
  readonly falseFailOfRun: number;
  /** Null if a case needs more trials than can be computed. */
  readonly fixed: number | null;
  readonly mean: number | null;
  readonly worst: number | null;
  readonly cost: ForecastCosts | null;
}

export interface SuiteForecast {
  readonly cases: readonly VariantForecast[];
  readonly run: RunForecast;
}

/** Without `healthyRate`, the healthy rate of each case is used. */
export type ForecastTerms = Omit<PlanTerms, 'healthyRate'> & {
  readonly healthyRate?: number | undefined;
};

/** Terms as a person states them. */
export type StatedForecast = Pick<ForecastTerms, 'drop' | 'healthyRate'> & {
  readonly [Term in 'falseFail' | 'miss' | 'look']?: number | undefined;
};

/** Forecasts by stated terms and defaults; refuses a drop that no case can have. */
export function forecastStated(
  variants: readonly VariantToForecast[],
  stated: StatedForecast,
): { readonly forecast: SuiteForecast } | { readonly refusal: Refusal } {
  const { drop, healthyRate, falseFail = defaultFalseFail, miss = defaultMiss } = stated;
  const { look = defaultLook } = stated;
  if (variants.some(({ variant }) => drop >= healthyRateOf(variant, healthyRate))) {
    const message = 'The drop must be smaller than the healthy rate.';
    return { refusal: invalid('body.drop', message) };
  }
  return { forecast: forecastSuite(variants, { drop, healthyRate, falseFail, miss, look }) };
}

export function forecastSuite(
  variants: readonly VariantToForecast[],
  stated: ForecastTerms,
): SuiteForecast {
  const forecasts = new Map<string, CaseForecast>();
  const cases = variants.map((one) => {
    const { planned, variant } = one;
    const terms = { ...stated, healthyRate: healthyRateOf(variant, stated.healthyRate) };
    const today = { trials: variant.repetitions, passThreshold: planned.passThreshold };
    // The search for a plan takes long, and most cases of a suite have the same settings, so
    // forecasts are reused.
    const key = JSON.stringify([terms, today]);
    const { deterministic = isDeterministic(planned, variant) } = one;
    const forecast = deterministic
      ? playedOnce(today)
      : (forecasts.get(key) ?? forecastCase(terms, today));
    if (!deterministic) forecasts.set(key, forecast);
    return {
      testCaseId: planned.caseId,
      title: planned.title,
      model: variant.model ?? null,
      healthyRate: terms.healthyRate,
      deterministic,
      ...forecast,
      cost: one.cost === undefined ? null : costsOf(trialsOf(forecast), one.cost),
    };
  });
  return { cases, run: forecastRun(cases) };
}

export function healthyRateOf(variant: PlannedVariant, stated: number | undefined): number {
  return stated ?? variant.trialPlan?.healthyRate ?? defaultHealthyRate;
}

function playedOnce(today: { readonly trials: number; readonly passThreshold: number }) {
  const rates = { falseFail: 0, miss: 0 };
  const means = { meanHealthy: 1, meanRegressed: 1, meanHalfway: 1 };
  return {
    fixed: { trials: 1, passes: 1, ...rates },
    sequential: { cap: 1, look: 1, passThreshold: 1, ...rates, ...means },
    today: { ...today, smallestDrop: null },
  };
}

interface Trials {
  readonly fixed: number | null;
  readonly mean: number | null;
  readonly worst: number | null;
}

/** If no sequential plan can detect the drop, the number of trials of the fixed plan is used. */
function trialsOf({ fixed, sequential }: CaseForecast): Trials {
  const needed = fixed?.trials ?? null;
  return {
    fixed: needed,
    mean: sequential?.meanHealthy ?? needed,
    worst: sequential?.cap ?? needed,
  };
}

function costsOf({ fixed, mean, worst }: Trials, ofTrial: CostOfTrial): ForecastCosts | null {
  if (fixed === null || mean === null || worst === null) return null;
  const of = (trials: number) => ({
    credits: ofTrial.credits === null ? null : ofTrial.credits * trials,
    minutes: ofTrial.minutes * trials,
  });
  return { fixed: of(fixed), mean: of(mean), worst: of(worst) };
}

function forecastRun(cases: readonly VariantForecast[]): RunForecast {
  const trials = cases.map(trialsOf);
  const sum = (of: (one: Trials) => number | null) => sumOf(trials.map(of));
  return {
    cases: cases.length,
    falseFailOfRun: falseFailOfRun(
      cases.map(({ sequential, fixed }) => sequential?.falseFail ?? fixed?.falseFail ?? 0),
    ),
    fixed: sum(({ fixed }) => fixed),
    mean: sum(({ mean }) => mean),
    worst: sum(({ worst }) => worst),
    cost: sumOfCosts(cases.map(({ cost }) => cost)),
  };
}

function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0,
  );
}

function sumOfCosts(costs: readonly (ForecastCosts | null)[]): ForecastCosts | null {
  const known = costs.flatMap((cost) => cost ?? []);
  if (known.length < costs.length || known.length === 0) return null;
  const of = (part: keyof ForecastCosts) => ({
    credits: sumOf(known.map((cost) => cost[part].credits)),
    minutes: known.reduce((total, cost) => total + cost[part].minutes, 0),
  });
  return { fixed: of('fixed'), mean: of('mean'), worst: of('worst') };
}
