/**
 * Checks that every model of a plan can run. Returns the models' providers, and the needed keys
 * among those that the caller sent. Keys are deleted when the run has ended, so a judge that is
 * asked later needs a hosted model.
 */
import type { Refusal } from '../kernel/refusal.ts';
import { chooseModel, chooseOneOf, type ModelOffer } from '../models/choose-model.ts';
import type { ModelChoice } from './eval-case.ts';
import { judgesOf } from './name-judges.ts';
import { modelsNamed } from './planned-case.ts';
import type { PlannedJudge, RunPlan } from './run-plan.ts';

export function checkPlannedModels(
  plan: Pick<RunPlan, 'cases' | 'judge'>,
  offer: ModelOffer,
  /** Providers for which the caller sent a key. */
  keyed: readonly string[],
):
  | { readonly providers: readonly string[]; readonly keyedProviders: readonly string[] }
  | { readonly refusal: Refusal } {
  const named = new Set<string>();
  const used = new Set<string>();
  for (const model of distinctModels(plan.cases)) {
    const chosen = chooseModel(model, offer, keyed);
    if ('refusal' in chosen) return chosen;
    named.add(chosen.provider);
    if (!chosen.hosted) used.add(chosen.provider);
  }
  const ofRun: readonly Pick<PlannedJudge, 'model' | 'provider'>[] =
    plan.judge?.autoRun === true ? [plan.judge] : [];
  for (const judge of [...ofRun, ...judgesOf(plan.cases)]) {
    const chosen = chooseJudgeModel(judge, offer, keyed);
    if ('refusal' in chosen) return chosen;
    named.add(chosen.provider);
    if (!chosen.hosted) used.add(chosen.provider);
  }
  return { providers: [...named], keyedProviders: [...used] };
}

function distinctModels(cases: RunPlan['cases']): Iterable<ModelChoice> {
  const models = new Map<string, ModelChoice>();
  for (const model of cases.flatMap(({ variants }) => modelsNamed(variants))) {
    const key = `${model.provider ?? ''}\0${model.model}`;
    if (!models.has(key)) models.set(key, model);
  }
  return models.values();
}

export function chooseJudgeModel(
  { model, provider }: Pick<PlannedJudge, 'model' | 'provider'>,
  offer: ModelOffer,
  keyed: readonly string[],
): ReturnType<typeof chooseModel> {
  const choice: ModelChoice = { model, ...(provider === undefined ? {} : { provider }) };
  const chosen = chooseModel(choice, offer, keyed);
  if (!('refusal' in chosen)) return chosen;
  const hosted = chosen.refusal.details?.['hostedModels'] as readonly string[];
  const message = `The judge cannot use the model ${JSON.stringify(model)}; ${chooseOneOf(hosted)}.`;
  return { refusal: { ...chosen.refusal, message } };
}
