/**
 * The quotas of an organization. An operator sets a quota for one organization, or a default for
 * all organizations; without either there is no limit. Days are UTC days by the clock of the
 * database.
 */
import type { Refusal } from '../kernel/refusal.ts';
import { retryAfterSeconds } from '../limits/token-bucket.ts';
import { grouped } from '../words/sentence.ts';

export const quotaNames = ['storedBytes', 'trialsPerDay', 'uploadBytesPerDay'] as const;
export type QuotaName = (typeof quotaNames)[number];
export type DailyQuotaName = Exclude<QuotaName, 'storedBytes'>;

/** Null means no limit. */
export type Quotas = Readonly<Record<QuotaName, number | null>>;

export const noQuotas: Quotas = { storedBytes: null, trialsPerDay: null, uploadBytesPerDay: null };

export function hasQuota(quotas: Quotas): boolean {
  return quotaNames.some((name) => quotas[name] !== null);
}

/** The largest limit; larger counts would not be exact. */
export const largestQuota = Number.MAX_SAFE_INTEGER;

/** Returns null for `none` and undefined for an invalid text. */
export function parseQuota(text: string): number | null | undefined {
  if (text === 'none') return null;
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const allowed = Number(text);
  return allowed <= largestQuota ? allowed : undefined;
}

/** A value of the organization wins over the default, even if it is null (no limit). */
export function quotasOf(defaults: Quotas, own: Partial<Quotas>): Quotas {
  return { ...defaults, ...own };
}

export interface QuotaStanding {
  readonly quotas: Quotas;
  /** Today's use for daily quotas; the most recent count for stored data. */
  readonly used: Readonly<Record<QuotaName, number>>;
  readonly nowMs: number;
}

export interface QuotaRefusal {
  readonly refusal: Refusal;
  /** The time to wait; present only if the action would be allowed later. */
  readonly retryAfterSeconds?: number;
}

/**
 * Refuses an action that would exceed a daily quota, or that starts when the storage quota is used
 * up. Stored data and active runs are not affected, and an action that adds nothing is never
 * refused.
 */
export function refuseBeyondQuota(
  standing: QuotaStanding,
  name: DailyQuotaName,
  amount: number,
): QuotaRefusal | undefined {
  if (amount <= 0) return undefined;
  const full = refuseBeyondStorage(standing);
  if (full !== undefined) return full;
  const { quotas, used, nowMs } = standing;
  const allowed = quotas[name];
  if (allowed === null || used[name] + amount <= allowed) return undefined;
  const limit = { limit: name, allowedValue: allowed, currentValue: used[name] };
  if (amount > allowed) {
    const message = `This request needs ${dailyWords(name, amount)}, but the organization may use only ${grouped(allowed)} a day; make the request smaller, or ${askOperator}`;
    return { refusal: { code: 'FORBIDDEN', message, details: limit } };
  }
  const resetsAt = nextUtcMidnight(nowMs);
  const message = `The organization has used ${grouped(used[name])} of its ${dailyWords(name, allowed)} for today, and this request needs ${grouped(amount)}; wait until 00:00 UTC, or ${askOperator}`;
  return {
    refusal: {
      code: 'RATE_LIMITED',
      message,
      details: { reason: 'DAILY_LIMIT', ...limit, resetsAt },
    },
    retryAfterSeconds: Math.min(secondsOfDay, retryAfterSeconds(resetsAt - nowMs)),
  };
}

/** Checks an action that stores data but has no daily quota. */
export function refuseBeyondStorage({ quotas, used }: QuotaStanding): QuotaRefusal | undefined {
  const { storedBytes } = quotas;
  if (storedBytes === null || used.storedBytes < storedBytes) return undefined;
  return { refusal: tooMuchStored(storedBytes, used.storedBytes) };
}

function tooMuchStored(allowedValue: number, currentValue: number): Refusal {
  return {
    code: 'FORBIDDEN',
    message: `The organization stores ${grouped(currentValue)} bytes, and its limit is ${grouped(allowedValue)}; delete suites that are no longer needed, or ${askOperator}`,
    details: { reason: 'STORAGE_LIMIT', limit: 'storedBytes', allowedValue, currentValue },
  };
}

const askOperator = 'ask the operator of this installation for more.';

function dailyWords(name: DailyQuotaName, amount: number): string {
  return `${grouped(amount)} ${name === 'trialsPerDay' ? 'trials' : 'bytes of uploads'}`;
}

const secondsOfDay = 86_400;
const dayMs = secondsOfDay * 1000;

export function nextUtcMidnight(nowMs: number): number {
  return (Math.floor(nowMs / dayMs) + 1) * dayMs;
}
