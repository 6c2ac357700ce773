/**
 * Every limit of an organization with the amount that is left, after subtracting what running work
 * has reserved.
 */
import { type QuotaStanding, quotaNames } from '../quotas/quotas.ts';
import { dailyLimitNames, type SpendingLimits } from './limits.ts';
import type { SpendingOfDay } from './spending-of-day.ts';

export const limitNames = [
  'credits',
  'trialsPerDay',
  ...dailyLimitNames,
  'uploadBytesPerDay',
  'storedBytes',
  'openRuns',
] as const;
export type LimitName = (typeof limitNames)[number];

export interface StandingOfLimit {
  readonly name: LimitName;
  readonly used: number;
  readonly reserved: number;
  /** Null means no limit. */
  readonly allowed: number | null;
  readonly left: number | null;
}

export function limitStandings(of: {
  readonly counters: SpendingOfDay['counters'];
  readonly limits: SpendingLimits;
  readonly quotas: QuotaStanding;
  readonly openRuns: { readonly used: number; readonly allowed: number };
}): StandingOfLimit[] {
  const { limits, quotas, openRuns } = of;
  const counted = new Map(of.counters.map((one) => [one.name, one]));
  return limitNames.map((name) => {
    if (name === 'openRuns') return standing(name, openRuns.used, 0, openRuns.allowed);
    const quota = quotaNames.find((one) => one === name);
    if (quota !== undefined) return standing(name, quotas.used[quota], 0, quotas.quotas[quota]);
    const { used = 0, reserved = 0 } = counted.get(name) ?? {};
    const daily = dailyLimitNames.find((one) => one === name);
    const allowed = daily === undefined ? limits.creditsPerDay : limits[daily];
    return standing(name, used, reserved, allowed);
  });
}

function standing(
  name: LimitName,
  used: number,
  reserved: number,
  allowed: number | null,
): StandingOfLimit {
  const left = allowed === null ? null : Math.max(0, allowed - used - reserved);
  return { name, used, reserved, allowed, left };
}
