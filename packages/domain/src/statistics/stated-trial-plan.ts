/**
 * An author's terms for a trial plan, in place of a number of trials: the healthy pass rate, the
 * relevant drop and the allowed error rates.
 */
import * as z from 'zod';

export const planScopes = ['case', 'run'] as const;

const ErrorRate = z.number().min(0.001).max(0.2);
export const defaultFalseFail = 0.05;
export const defaultMiss = 0.1;
export const defaultLook = 4;

export const StatedTrialPlan = z
  .strictObject({
    healthyRate: z.number().gt(0).lt(1),
    drop: z.number().gt(0).lt(1),
    falseFail: ErrorRate.exactOptional(),
    miss: ErrorRate.exactOptional(),
    look: z.int().min(1).max(20).exactOptional(),
    scope: z.enum(planScopes).exactOptional(),
  })
  .refine(({ healthyRate, drop }) => drop < healthyRate, {
    path: ['drop'],
    error: 'The drop must be smaller than the healthy rate.',
  })
  .meta({
    id: 'EvalTrialPlan',
    description:
      'States error rates in place of a number of trials. `falseFail` is 0.05, `miss` 0.1, `look` 4 and `scope` "case" unless stated.',
  });
export type StatedTrialPlan = z.infer<typeof StatedTrialPlan>;

export interface PlanTerms {
  readonly healthyRate: number;
  readonly drop: number;
  readonly falseFail: number;
  readonly miss: number;
  readonly look: number;
}

/** With the scope `run`, the allowed rate of false fails is divided among all cases. */
export function planTerms(stated: StatedTrialPlan, cases = 1): PlanTerms {
  const { healthyRate, drop, falseFail = defaultFalseFail, miss = defaultMiss } = stated;
  const { look = defaultLook, scope = 'case' } = stated;
  const shares = scope === 'run' ? cases : 1;
  return { healthyRate, drop, falseFail: falseFail / shares, miss, look };
}
