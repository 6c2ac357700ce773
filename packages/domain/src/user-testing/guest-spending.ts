/**
 * The budget of an anonymous visitor, which the organization pays. Models that cost nothing are
 * always allowed.
 */
import type { Refusal } from '../kernel/refusal.ts';
import type { PricePerMillion } from '../spending/ledger.ts';
import type { GuestExecution } from './guest-execution.ts';

export type GuestBudget =
  | { readonly kind: 'free' }
  | { readonly kind: 'capped'; readonly dailyCreditCap: number; readonly price: PricePerMillion }
  | { readonly refusal: Refusal };

export function guestBudget(
  guestExecution: Pick<GuestExecution, 'enabled' | 'dailyCreditCap'> | null,
  /** Undefined if the model has no price. */
  price: PricePerMillion | undefined,
): GuestBudget {
  if (price === undefined) return { refusal: unpriced };
  if (price.inputPerMillion === 0 && price.outputPerMillion === 0) return { kind: 'free' };
  if (guestExecution === null || !guestExecution.enabled) return { refusal: disabled };
  return { kind: 'capped', dailyCreditCap: guestExecution.dailyCreditCap, price };
}

const disabled: Refusal = {
  code: 'FORBIDDEN',
  message: 'The owner of this link has not opened its assistant to visitors without an account.',
  details: { reason: 'GUEST_EXECUTION_DISABLED' },
};

/** The cost of a model without a price could not be capped. */
const unpriced: Refusal = {
  code: 'FORBIDDEN',
  message: 'The cost of this assistant is unknown, so visitors without an account cannot use it.',
  details: { reason: 'MODEL_UNPRICED' },
};

export const outOfCreditsForVisitors: Refusal = {
  code: 'FORBIDDEN',
  message: 'The credits for this assistant are used up for today.',
  details: { limit: 'credits' },
};
