/**
 * What a run will use, told before it is launched: its trials by model, what its judges are asked, and credits where
 * earlier trials of the suite tell what one costs. Prices alone do not: nobody knows how much a model will read and write.
 * A replay whose model is recorded asks none, and its judges are answered from the recording; where it may go on live, that
 * is the most that it uses.
 */
import { type ModelAskedInReplay, modelAskedBy } from '../recordings/run-replay.ts';
import { goalsOf } from '../suites/name-judges.ts';
import type { PlannedPrice } from '../suites/planned-case.ts';
import { planTrials, type RunPlan } from '../suites/run-plan.ts';
import { asksModel } from '../suites/step.ts';

/** `ownKey`: whoever launches the run sends a key for it, and what it costs there is not counted here. */
export const modelCosts = ['free', 'priced', 'unpriced', 'ownKey'] as const;
export type ModelCost = (typeof modelCosts)[number];

export interface ModelEstimate {
  readonly model: string;
  readonly trials: number;
  readonly cost: ModelCost;
  /** By what trials of the last run used of it, at the price of today; null where none did, or it did not tell. */
  readonly creditsPerTrial: number | null;
}

export interface JudgeEstimate extends ModelEstimate {
  /** The most it is asked, over all trials that it is asked about: every vote is a question. */
  readonly questions: number;
}

export interface TokensPerTrial {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface CountedModel extends Pick<ModelEstimate, 'model' | 'trials' | 'cost'> {
  readonly price: PlannedPrice | undefined;
}

export interface RunEstimate {
  readonly trials: number;
  readonly models: readonly ModelEstimate[];
  /** Those that vote in a trial, and the one that is asked at the end of the run. */
  readonly judges: readonly JudgeEstimate[];
  /** Of a replay: whether models and judges are asked at all. */
  readonly modelAsked?: ModelAskedInReplay | undefined;
  /** Of all of them; null where one is not known. */
  readonly credits: number | null;
  /** Of today; null where credits are not limited. */
  readonly creditsLeft: number | null;
}

export function estimateRun(known: {
  readonly plan: Pick<RunPlan, 'cases' | 'judge' | 'replay'>;
  readonly prices: readonly PlannedPrice[];
  /** Hosted models without a price. */
  readonly unpriced: readonly string[];
  /** By model. */
  readonly tokensPerTrial: ReadonlyMap<string, TokensPerTrial>;
  /** Of judges, by model. */
  readonly judgeTokensPerTrial: ReadonlyMap<string, TokensPerTrial>;
  readonly creditsLeft: number | null;
}): RunEstimate {
  const trials = planTrials(known.plan);
  const { replay } = known.plan;
  const modelAsked = replay && modelAskedBy(replay);
  const isRecorded = modelAsked === 'never';
  const counts = new Map<string, CountedModel>();
  for (const { caseIndex, variantIndex } of isRecorded ? [] : trials) {
    const planned = known.plan.cases[caseIndex];
    const variant = planned?.variants[variantIndex];
    // A case that only calls tools asks no model, whatever its suite names.
    if (variant?.model === undefined || !planned?.steps.some(asksModel)) continue;
    const { model } = variant;
    const price = known.prices.find(
      (one) => one.model === model && one.provider === variant.provider,
    );
    const cost = costOf(price, known.unpriced.includes(model));
    const key = `${cost} ${model}`;
    counts.set(key, { model, cost, price, trials: (counts.get(key)?.trials ?? 0) + 1 });
  }
  const models = [...counts.values()].map(({ price, ...one }) => ({
    ...one,
    creditsPerTrial: creditsOf(one.cost, price, known.tokensPerTrial.get(one.model)),
  }));
  // A judge of the run, or one that reads something else than was recorded, is asked for real.
  const judges = estimateJudges(known, trials);
  const sums = [...models, ...judges].map(
    (one) => one.creditsPerTrial && one.creditsPerTrial * one.trials,
  );
  return {
    trials: trials.length,
    models,
    judges,
    ...(modelAsked && { modelAsked }),
    credits: sums.includes(null) ? null : sums.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    creditsLeft: known.creditsLeft,
  };
}

function estimateJudges(
  { plan, prices, unpriced, judgeTokensPerTrial }: Parameters<typeof estimateRun>[0],
  trials: ReturnType<typeof planTrials>,
): JudgeEstimate[] {
  const asked = new Map<string, { trials: number; questions: number }>();
  for (const { caseIndex } of trials) {
    const ofTrial = new Map<string, number>();
    for (const { model, questions } of questionsOf(plan, caseIndex)) {
      ofTrial.set(model, (ofTrial.get(model) ?? 0) + questions);
    }
    for (const [model, questions] of ofTrial) {
      const sum = asked.get(model) ?? { trials: 0, questions: 0 };
      asked.set(model, { trials: sum.trials + 1, questions: sum.questions + questions });
    }
  }
  return [...asked].map(([model, sum]) => {
    const price = prices.find((one) => nameOf(one) === model || one.model === model);
    const cost = costOf(price, unpriced.includes(model));
    return {
      model,
      ...sum,
      cost,
      creditsPerTrial: creditsOf(cost, price, judgeTokensPerTrial.get(model)),
    };
  });
}

/** In each trial of a case. Who is asked at the end of the run is asked about the goal, and what an answer rests on. */
function questionsOf({ cases, judge }: Pick<RunPlan, 'cases' | 'judge'>, caseIndex: number) {
  const planned = cases[caseIndex];
  if (planned === undefined) return [];
  const voting = goalsOf(planned).flatMap(({ judgeModel, votes = 1 }) =>
    judgeModel === undefined ? [] : [{ model: judgeModel, questions: votes }],
  );
  if (judge?.autoRun !== true) return voting;
  const hasAnswer = planned.steps.some(asksModel);
  return [...voting, { model: nameOf(judge), questions: hasAnswer ? 2 : 1 }];
}

/** One id, as a row names its judge. */
function nameOf({ model, provider }: { readonly model: string; readonly provider?: string }) {
  const isWhole = provider === undefined || model.startsWith(`${provider}/`);
  return isWhole ? model : `${provider}/${model}`;
}

function costOf(price: PlannedPrice | undefined, isUnpriced: boolean): ModelCost {
  if (price !== undefined) {
    return price.inputPerMillion === 0 && price.outputPerMillion === 0 ? 'free' : 'priced';
  }
  return isUnpriced ? 'unpriced' : 'ownKey';
}

function creditsOf(
  cost: ModelCost,
  price: PlannedPrice | undefined,
  tokens: TokensPerTrial | undefined,
): number | null {
  if (cost === 'free' || cost === 'ownKey') return 0;
  if (cost !== 'priced' || price === undefined || tokens === undefined) return null;
  // On the average, tokens are no whole numbers.
  const cents =
    tokens.inputTokens * price.inputPerMillion + tokens.outputTokens * price.outputPerMillion;
  return cents / 10_000;
}
