import { cleanText } from '../words/clean-text.ts';
import { count, grouped } from '../words/sentence.ts';
import type { ModelCost, RunEstimate } from './estimate-run.ts';

export interface RunSpending {
  readonly credits: number;
  readonly priced: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The judges' share of the spending; absent if no judge was asked. */
  readonly judges?: Omit<RunSpending, 'judges'> | undefined;
}

export function estimateWords(estimate: RunEstimate, maxCredits?: number): string[] {
  const { runs, costs, left } = estimateParts(estimate, maxCredits);
  return [...runs, ...costs, ...left];
}

export interface EstimateParts {
  readonly runs: readonly string[];
  readonly costs: readonly string[];
  readonly left: readonly string[];
}

export function estimateParts(estimate: RunEstimate, maxCredits?: number): EstimateParts {
  const { trials, models, judges, credits, creditsLeft } = estimate;
  if (estimate.modelAsked === 'never') return recordedParts(estimate);
  const asked = [...models, ...judges];
  const named = (cost: ModelCost) => {
    const names = asked.filter((one) => one.cost === cost).map(({ model }) => modelNameText(model));
    return listed([...new Set(names)]);
  };
  const has = (cost: ModelCost) => asked.some((one) => one.cost === cost);
  const takesMoreThan = (bound: number) => has('priced') && (credits ?? 0) > bound;
  const costs: string[] = [];
  if (has('unpriced')) costs.push(`No price is stated for ${named('unpriced')}.`);
  if (has('ownKey')) costs.push(`Your own key pays for ${named('ownKey')}.`);
  if (has('priced')) {
    costs.push(
      credits === null
        ? unknownPart(asked)
        : `About ${creditsText(credits)}, estimated from the trials of earlier runs.`,
    );
  }
  const isFree = asked.every(({ cost }) => cost === 'free');
  if (isFree) costs.push('This costs nothing.');
  else if (estimate.modelAsked === 'ifDiverged') {
    costs.unshift(
      'Nothing, unless a trial diverges from its recording. Then at most the cost of a run:',
    );
  }
  if (maxCredits !== undefined) {
    costs.push(
      `The run may use ${creditsText(maxCredits)}, judges included. No trial starts if its highest possible cost would exceed this limit.`,
    );
    if (takesMoreThan(maxCredits)) {
      costs.push('The run probably needs more credits, and will then end before its last trial.');
    }
  }
  const isTooLittle = creditsLeft !== null && takesMoreThan(creditsLeft);
  return {
    runs: [trialsText(trials, models), ...judgesText(judges)],
    costs,
    left: [
      ...(creditsLeft === null ? [] : [`Left today: ${creditsText(creditsLeft)}.`]),
      ...(isTooLittle
        ? ['That is not enough: the run will end when the credits are used up.']
        : []),
    ],
  };
}

function recordedParts({ modelAsked: _, ...estimate }: RunEstimate): EstimateParts {
  const runs = [`${count(estimate.trials, 'trial')}, as recorded.`];
  if (estimate.judges.length === 0) {
    return {
      runs,
      costs: ['This costs nothing, because the answers of models are recorded.'],
      left: [],
    };
  }
  const { costs, left } = estimateParts(estimate);
  const judges = 'The answers of models are recorded and cost nothing. Judges may be asked live:';
  return { runs, costs: [judges, ...costs], left };
}

function trialsText(trials: number, models: RunEstimate['models']): string {
  const all = count(trials, 'trial');
  const [only, ...others] = models;
  if (only === undefined) return `${all}, without a model.`;
  if (others.length === 0 && only.trials === trials)
    return `${all} on ${modelNameText(only.model)}.`;
  const parts = models.map((one) => `${one.trials} on ${modelNameText(one.model)}`);
  const rest = trials - models.reduce((sum, one) => sum + one.trials, 0);
  return `${all}: ${listed([...parts, ...(rest > 0 ? [`${rest} without a model`] : [])])}.`;
}

function judgesText(judges: RunEstimate['judges']): string[] {
  const [only, ...others] = judges;
  if (only === undefined) return [];
  const all = judges.reduce((sum, one) => sum + one.questions, 0);
  const on =
    others.length === 0
      ? ` on ${modelNameText(only.model)}`
      : `: ${listed(judges.map((one) => `${one.questions} on ${modelNameText(one.model)}`))}`;
  return [`Judges are asked at most ${count(all, 'question')}${on}.`];
}

function unknownPart(models: RunEstimate['models']): string {
  const unseen = models.filter((one) => one.cost === 'priced' && one.creditsPerTrial === null);
  if (unseen.length === 0) return 'The total cost is therefore unknown.';
  const names = new Set(unseen.map(({ model }) => modelNameText(model)));
  return `No earlier run shows what ${listed([...names])} will cost.`;
}

export function spendingWords({ judges, ...all }: RunSpending): string {
  return judges === undefined
    ? usedWords(all)
    : `${usedWords(all)} (including judges: ${usedWords(judges)})`;
}

function usedWords({ credits, priced, inputTokens, outputTokens }: RunSpending): string {
  if (inputTokens === 0 && outputTokens === 0 && credits === 0 && priced) return 'no tokens';
  const tokens = `${count(inputTokens, 'token')} in, ${grouped(outputTokens)} out`;
  if (priced) return `${tokens}; ${credits === 0 ? 'free' : creditsText(credits)}`;
  const known = credits === 0 ? '' : `${creditsText(credits)} and more; `;
  return `${tokens}; ${known}some models have no price`;
}

/** Formats credits with two decimals, or with as many as a small number needs to be visible. */
export function creditsText(credits: number): string {
  const rounded = credits >= 0.01 ? Number(credits.toFixed(2)) : Number(credits.toPrecision(1));
  const [whole = '0', part] = String(rounded).split('.');
  const shown = /^\d+$/.test(whole) ? grouped(Number(whole)) : whole;
  return `${shown}${part === undefined ? '' : `.${part}`} ${rounded === 1 ? 'credit' : 'credits'}`;
}

/** Removes control characters, since the name is untrusted. */
export function modelNameText(model: string): string {
  return cleanText(model, false);
}

export function listed(parts: readonly string[]): string {
  return parts.length < 2
    ? parts.join('')
    : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}
