/** The operator's limits for visitors: turns at once, and rates. `null` means no limit. */
import { Refused } from '../kernel/refusal.ts';
import { type RateLimit, retryAfterSeconds } from '../limits/token-bucket.ts';
import { nextUtcMidnight } from '../quotas/quotas.ts';

export const visitBrakeNames = [
  'visitorRedeemsPerMinute',
  'visitorIdentitiesPerHour',
  'linkIdentitiesPerHour',
  'visitorTurnsPerMinute',
  'scenarioTurnsPerMinute',
] as const;
export type VisitBrakeName = (typeof visitBrakeNames)[number];

export interface VisitLimits extends Readonly<Record<VisitBrakeName, number | null>> {
  readonly guestTurnsAtOnce: number | null;
  readonly scenarioTurnsAtOnce: number | null;
  readonly visitorRetentionDays: number;
}

export const defaultVisitLimits: VisitLimits = {
  visitorRedeemsPerMinute: 10,
  visitorIdentitiesPerHour: 30,
  linkIdentitiesPerHour: 300,
  visitorTurnsPerMinute: 20,
  scenarioTurnsPerMinute: 120,
  guestTurnsAtOnce: 4,
  scenarioTurnsAtOnce: 10,
  visitorRetentionDays: 90,
};

/** All of a period's allowance may be used at once. Returns undefined without a limit. */
export function visitBrake(limits: VisitLimits, name: VisitBrakeName): RateLimit | undefined {
  const allowed = limits[name];
  if (allowed === null) return undefined;
  const burst = Math.max(1, allowed);
  return { perMinute: name.endsWith('PerHour') ? burst / 60 : burst, burst };
}

export function visitTooFast(limit: VisitBrakeName, waitMs: number): Refused {
  const seconds = Math.min(86_400, retryAfterSeconds(waitMs));
  return new Refused(
    {
      code: 'RATE_LIMITED',
      message: 'Too many requests; try again after the time in Retry-After.',
      details: { reason: 'BURST_LIMIT', limit, retryAfterMs: seconds * 1000 },
    },
    { 'retry-after': String(seconds) },
  );
}

export function visitDayUsedUp(
  limit: 'sessionsPerDay' | 'dailyCreditCap',
  allowedValue: number,
  currentValue: number,
  nowMs: number,
): Refused {
  const resetsAt = nextUtcMidnight(nowMs);
  const seconds = Math.min(86_400, retryAfterSeconds(resetsAt - nowMs));
  return new Refused(
    {
      code: 'RATE_LIMITED',
      message: 'The daily limit of this link is used up; it starts again at midnight UTC.',
      details: { reason: 'DAILY_LIMIT', limit, allowedValue, currentValue, resetsAt },
    },
    { 'retry-after': String(seconds) },
  );
}
