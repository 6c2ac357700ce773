import type { ChosenModel, PlannedPrice, PlannedTrial, RunPlan } from '@proofmark/domain';
import type { StopReason } from '../../../platform/spending/metered-models.ts';
import {
  type Meter,
  type MeteredCredits,
  meteredModels,
} from '../../../platform/spending/metered-models.ts';
import { nameOf } from '../../../platform/spending/paying-models.ts';
import type { TrialSpending } from '../../../platform/spending/store/paid-trials.ts';
import type { SpentOut } from '../../../platform/spending/store/reservations.ts';

export interface TrialMeter extends Pick<Meter, 'models' | 'isOutOfCredits'> {
  readonly judgeModels: Meter['models'];
  spent(): readonly TrialSpending[];
  /** Returns whose credits ran out: those of the run or those of the organization. */
  usedUp(): StopReason;
}

export type SpendingOf = Pick<TrialSpending, 'kind' | 'model'>;

/**
 * Creates the meter. `creditsOf` reserves the cost of calls to priced models (default: nothing is
 * reserved).
 */
export function meterTrial(
  plan: RunPlan,
  models: Meter['models'],
  trial: PlannedTrial,
  creditsOf: (
    spending: SpendingOf,
    onRefused: (by: SpentOut) => void,
  ) => MeteredCredits | undefined = () => undefined,
): TrialMeter {
  const variant = plan.cases[trial.caseIndex]?.variants[trial.variantIndex];
  const { model = '', provider } = variant ?? {};
  const found = plan.prices?.find((one) => one.model === model && one.provider === provider);
  let usedUp: StopReason = 'credits';
  const onRefused = (by: SpentOut) => {
    usedUp = by === 'run' ? 'maxCredits' : 'credits';
  };
  const meterOf = (spending: SpendingOf, price: PlannedPrice | undefined) => {
    // The cost of models that the organization pays for itself is unknown, so they have no price
    // here.
    const known = price?.isOwn ? undefined : price;
    const credits = known && creditsOf(spending, onRefused);
    return { spending, meter: meteredModels(models, known, credits) };
  };
  const own = meterOf({ kind: 'trial_step', model }, found);
  const judges = new Map<string, ReturnType<typeof meterOf>>();
  const judgeOf = (chosen: ChosenModel) => {
    const name = nameOf(chosen);
    const price = chosen.hosted ? plan.prices?.find((one) => isPriceOf(one, name)) : undefined;
    const judge = judges.get(name) ?? meterOf({ kind: 'judge', model: name }, price);
    judges.set(name, judge);
    return judge.meter.models;
  };
  const all = () => [own, ...judges.values()];
  return {
    models: own.meter.models,
    judgeModels: { generate: (...asked) => judgeOf(asked[0]).generate(...asked) },
    isOutOfCredits: () => all().some(({ meter }) => meter.isOutOfCredits()),
    usedUp: () => usedUp,
    spent: () =>
      all().flatMap(({ spending, meter }) => {
        const cost = meter.cost();
        const isReserved = meter.isReserved();
        return cost === null && !isReserved ? [] : { ...spending, cost, isReserved };
      }),
  };
}

/**
 * Returns whether the price is that of the hosted model. `hostedId` may or may not contain the
 * provider.
 */
function isPriceOf({ model, provider }: PlannedPrice, hostedId: string): boolean {
  return model === hostedId || `${provider}/${model}` === hostedId;
}
