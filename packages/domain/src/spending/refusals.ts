/**
 * Refusals to spend. `Retry-After` is set only if waiting helps and the end of the wait is known.
 * Waiting restores neither used credits nor a limit of 0.
 */
import { Refused } from '../kernel/refusal.ts';
import { retryAfterSeconds } from '../limits/token-bucket.ts';
import { nextUtcMidnight } from '../quotas/quotas.ts';
import type { BrakeName } from './brakes.ts';
import type { DailyLimitName } from './limits.ts';

export function tooFast(brake: BrakeName, waitMs: number): Refused {
  const seconds = retryAfter(waitMs);
  return new Refused(
    {
      code: 'RATE_LIMITED',
      message: `Too many requests of this kind (${brake}); try again after the time in Retry-After.`,
      details: { reason: 'BURST_LIMIT', limit: brake, retryAfterMs: seconds * 1000 },
    },
    { 'retry-after': String(seconds) },
  );
}

export function dayUsedUp(
  limit: DailyLimitName,
  allowed: number,
  used: number,
  nowMs: number,
): Refused {
  const counted = { allowedValue: allowed, currentValue: used };
  if (allowed === 0) {
    const message = `The operator of this installation does not allow this: ${limit} is 0.`;
    return new Refused({ code: 'FORBIDDEN', message, details: { limit, ...counted } });
  }
  const resetsAt = nextUtcMidnight(nowMs);
  return new Refused(
    {
      code: 'RATE_LIMITED',
      message: `The organization has used up ${limit} for today: ${used} of ${allowed}. The limit resets at midnight UTC.`,
      details: { reason: 'DAILY_LIMIT', limit, ...counted, resetsAt },
    },
    { 'retry-after': String(retryAfter(resetsAt - nowMs)) },
  );
}

export function outOfCredits(allowed: number, used: number): Refused {
  return new Refused({
    code: 'FORBIDDEN',
    message:
      'The organization has no credits left for this today; ask the operator to raise creditsPerDay.',
    details: { limit: 'credits', allowedValue: allowed, currentValue: used },
  });
}

export function runOutOfCredits(allowed: number, used: number): Refused {
  return new Refused({
    code: 'FORBIDDEN',
    message: 'The run has used up its maxCredits; launch it again with a greater maxCredits.',
    details: { limit: 'maxCredits', allowedValue: allowed, currentValue: used },
  });
}

export function modelUnpriced(model: string): Refused {
  return new Refused({
    code: 'FORBIDDEN',
    message: `Credits are limited here, and the model ${model} has no price; ask the operator to add one.`,
    details: { reason: 'MODEL_UNPRICED', model },
  });
}

/**
 * Returns why a judge was not asked, if credits or a price were missing; undefined for other
 * refusals.
 */
export function whyUnpaid({ refusal }: Refused): string | undefined {
  const { limit, reason } = refusal.details ?? {};
  if (reason === 'MODEL_UNPRICED') {
    return 'The judge was not asked: credits are limited, and its model has no price.';
  }
  if (limit === 'maxCredits') {
    return 'The judge was not asked: the run had used up its maxCredits.';
  }
  return limit === 'credits'
    ? 'The judge was not asked: the credits of the organization were used up.'
    : undefined;
}

function retryAfter(waitMs: number): number {
  return Math.min(86_400, retryAfterSeconds(waitMs));
}
