/**
 * The cost of a step that uses a model. One credit is one US cent by the operator's price for the
 * model.
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
  /** Without a price, `credits` is 0 without meaning. */
  readonly priced: boolean;
  /** The id of the charged trial or request. */
  readonly ref: string;
  /** The step of it. A step that is reported twice is charged once. */
  readonly step: string;
}

export interface StepUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Returns the cost of a step, which is unknown without reported tokens. */
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

/** Built-in parts cost nothing. */
export const freePrice: PricePerMillion = { inputPerMillion: 0, outputPerMillion: 0 };

/** The highest number of output tokens (default: 4096). */
export const assumedOutputTokens = 4096;

/**
 * Returns the highest possible cost of a request: its bytes as tokens, three to one, and its
 * longest allowed answer. If the provider reported more before, because it adds to requests or
 * ignores the limit, the same excess is expected again.
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

/** The maxima over several calls of one model. */
export interface CallSize {
  /** Input tokens beyond those expected from the bytes of the request. */
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

/** Dollars per million tokens are cents per ten thousand. A stated price may be any number. */
function creditsFor(price: PricePerMillion, inputTokens: number, outputTokens: number): number {
  const input = multiply(inputTokens, price.inputPerMillion);
  const cost = toNumber(plus(input, multiply(outputTokens, price.outputPerMillion)), 4);
  return Math.min(cost, mostCredits);
}

const mostCredits = 1e12;
