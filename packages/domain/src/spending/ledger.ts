/**
 * The cost of a step that uses a model. One credit is one US cent, by the price that the operator
 * set for the model.
 */
import { multiply, plus, toNumber } from '../kernel/decimal.ts';

export const ledgerKinds = [
  'trial_step',
  'judge',
  'host_step',
  'persona_turn',
  'generation',
  'insights',
  'visitor_turn',
  'chat_turn',
  'agent_step',
  'provider_test',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export interface PricePerMillion {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export interface LedgerEntry {
  readonly kind: LedgerKind;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly credits: number;
  /** Whether the step had a price. If not, `credits` is 0 and means nothing. */
  readonly priced: boolean;
  readonly ref: string;
  /**
   * The charged step of the trial or request in `ref`. A step that is reported twice is charged
   * once.
   */
  readonly step: string;
}

export interface StepUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Returns an unpriced cost if the tokens were not reported. */
export function priceStep(
  price: PricePerMillion | undefined,
  { inputTokens, outputTokens }: StepUsage,
): Pick<LedgerEntry, 'credits' | 'priced'> {
  if (price === undefined) return unpriced;
  if (price.inputPerMillion === 0 && price.outputPerMillion === 0)
    return { credits: 0, priced: true };
  if (!isCount(inputTokens) || !isCount(outputTokens)) return unpriced;
  return { credits: creditsFor(price, inputTokens, outputTokens), priced: true };
}

export const freePrice: PricePerMillion = { inputPerMillion: 0, outputPerMillion: 0 };

/** The assumed maximum of output tokens for a call that sets no other maximum. */
export const assumedOutputTokens = 4096;

/**
 * Returns the highest possible cost of a request: one input token per three bytes, and its longest
 * allowed answer. Some providers add input tokens or ignore the output limit. If that happened in
 * an earlier call, the same excess is assumed again.
 */
export function worstCase(
  price: PricePerMillion,
  requestBytes: number,
  mostOutputTokens: number = assumedOutputTokens,
  seen: CallSize = noCallSeen,
): number {
  const inputTokens = tokensOfBytes(requestBytes) + seen.addedInputTokens;
  return creditsFor(price, inputTokens, Math.max(mostOutputTokens, seen.outputTokens));
}

export interface CallSize {
  /** Input tokens beyond the number estimated from the size of the request. */
  readonly addedInputTokens: number;
  readonly outputTokens: number;
}

export const noCallSeen: CallSize = { addedInputTokens: 0, outputTokens: 0 };

export function largerCall(
  seen: CallSize,
  requestBytes: number,
  { inputTokens, outputTokens }: StepUsage,
): CallSize {
  const added = isCount(inputTokens) ? inputTokens - tokensOfBytes(requestBytes) : 0;
  return {
    addedInputTokens: Math.max(seen.addedInputTokens, added),
    outputTokens: Math.max(seen.outputTokens, isCount(outputTokens) ? outputTokens : 0),
  };
}

function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / 3);
}

const unpriced = { credits: 0, priced: false };

function isCount(tokens: number | null): tokens is number {
  return tokens !== null && Number.isSafeInteger(tokens) && tokens >= 0;
}

/**
 * Returns US cents. A price in dollars per million tokens is the same number of cents per 10,000
 * tokens. Exact decimals are used, since a price may be any number.
 */
function creditsFor(price: PricePerMillion, inputTokens: number, outputTokens: number): number {
  const input = multiply(inputTokens, price.inputPerMillion);
  const cost = toNumber(plus(input, multiply(outputTokens, price.outputPerMillion)), 4);
  return Math.min(cost, mostCredits);
}

const mostCredits = 1e12;
