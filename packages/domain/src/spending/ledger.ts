/** What a step that uses a model costs. One credit is one US cent by the price the operator states for the model. */
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
  /** Without a price, `credits` is 0 and says nothing. */
  readonly priced: boolean;
  /** What was paid for: the trial, the request. */
  readonly ref: string;
  /** Which step of it. A step that is told twice is charged once. */
  readonly step: string;
}

export interface StepUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A step whose tokens the provider does not tell has no known cost. */
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

/** Where nobody says more, a model answers with at most so many tokens. */
export const assumedOutputTokens = 4096;

/**
 * What a request can cost at most: its bytes as tokens, three to one, and the longest answer it allows. A provider that was
 * seen to count more than that, for what it adds to a request or where it holds no bound, is expected to do so again.
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

/** The largest of several calls of one model. */
export interface CallSize {
  /** Beyond what the bytes of the request let expect. */
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

/** Dollars for a million tokens are cents for ten thousand. A price is somebody's word and may be any number. */
function creditsFor(price: PricePerMillion, inputTokens: number, outputTokens: number): number {
  const input = multiply(inputTokens, price.inputPerMillion);
  const cost = toNumber(plus(input, multiply(outputTokens, price.outputPerMillion)), 4);
  return Math.min(cost, mostCredits);
}

const mostCredits = 1e12;
