/**
 * The estimate of a run before its launch: its trials by model, the questions to its judges, and
 * the credits. Credits need the tokens of earlier trials, since prices alone do not show the number
 * of tokens. Trial plans, and replays that may continue live, are estimated at their maximum.
 */
import { type ModelAskedInReplay, modelAskedBy } from '../recordings/run-replay.ts';
import { goalsOf } from '../suites/name-judges.ts';
import type { PlannedPrice } from '../suites/planned-case.ts';
import { countedTrials, type RunPlan } from '../suites/run-plan.ts';
import { asksModel } from '../suites/step.ts';

/** `ownKey`: the caller sends a key for the model, so its cost is not counted. */
export const modelCosts = ['free', 'priced', 'unpriced', 'ownKey'] as const;
export type ModelCost = (typeof modelCosts)[number];

export interface ModelEstimate {
  readonly model: string;
  readonly trials: number;
  readonly cost: ModelCost;
  /**
   * Calculated from the tokens of the last run at the current price. Null if there are no earlier
   * trials, or if they reported no tokens.
   */
  readonly creditsPerTrial: number | null;
}

export interface JudgeEstimate extends ModelEstimate {
  /** The highest number of questions in all trials of the run; every vote is a question. */
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
  readonly judges: readonly JudgeEstimate[];
  readonly modelAsked?: ModelAskedInReplay | undefined;
  /** The total credits; null if a part of the cost is unknown. */
  readonly credits: number | null;
  /** The credits left for today; null if there is no limit. */
  readonly creditsLeft: number | null;
}

export function estimateRun(known: {
  readonly plan: Pick<RunPlan, 'cases' | 'judge' | 'replay'>;
  readonly prices: readonly PlannedPrice[];
  readonly unpriced: readonly string[];
  readonly tokensPerTrial: ReadonlyMap<string, TokensPerTrial>;
  readonly judgeTokensPerTrial: ReadonlyMap<string, TokensPerTrial>;
  readonly creditsLeft: number | null;
}): RunEstimate {
  const trials = countedTrials(known.plan);
  const { replay } = known.plan;
  const modelAsked = replay && modelAskedBy(replay);
  const isRecorded = modelAsked === 'never';
  const counts = new Map<string, CountedModel>();
  for (const { caseIndex, variantIndex } of isRecorded ? [] : trials) {
    const planned = known.plan.cases[caseIndex];
    const variant = planned?.variants[variantIndex];
    // A case that only calls tools asks no model, even if its suite names one.
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
  // Judges are estimated even for a recorded model: the run's judge is asked live, and so is a
  // judge whose input differs from the recorded one.
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
  trials: ReturnType<typeof countedTrials>,
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

/**
 * Returns the number of questions to each judge in a trial of the case. The run's judge grades the
 * goal and, if there is an answer, its groundedness.
 */
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
  // Average token counts are not integers, so exact decimals cannot be used.
  const cents =
    tokens.inputTokens * price.inputPerMillion + tokens.outputTokens * price.outputPerMillion;
  return cents / 10_000;
}
