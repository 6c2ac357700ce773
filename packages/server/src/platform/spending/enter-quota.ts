/**
 * Checks the quotas of an organization before a write, and counts the write. Both run in the
 * transaction of the write, so a rejected or failed write counts nothing. Without a quota, uses are
 * still counted: the operator sees an organization's use, and a limit that is set at noon includes
 * the morning.
 */
import {
  type DailyQuotaName,
  hasQuota,
  largestQuota,
  type QuotaRefusal,
  type Quotas,
  Refused,
  refuseBeyondQuota,
  refuseBeyondStorage,
} from '@proofmark/domain';
import { countToday } from '../accounts/store/daily-counters.ts';
import { readQuotaStanding } from '../accounts/store/quotas.ts';
import type { Sql } from '../database/database.ts';

export interface EnteredQuota {
  /**
   * Counts the write. Call it last in the transaction, since other requests of the organization
   * wait for its lock from then on.
   */
  count(): Promise<void>;
}

export interface QuotaHolder {
  readonly organizationId: string;
  /** True if the organization has quotas that differ from those in the settings. */
  readonly hasQuotas: boolean;
}

const nothing: EnteredQuota = { count: async () => undefined };

export function isBounded({ hasQuotas }: QuotaHolder, defaults: Quotas): boolean {
  return hasQuotas || hasQuota(defaults);
}

/**
 * Rejects an amount that exceeds the quota. If several requests pass this check at the same time,
 * the later count decides which of them succeed.
 */
export async function enterQuota(
  sql: Sql,
  holder: QuotaHolder,
  defaults: Quotas,
  name: DailyQuotaName,
  amount: number,
): Promise<EnteredQuota> {
  if (amount <= 0) return nothing;
  const { organizationId } = holder;
  const look = async () => {
    const standing = await readQuotaStanding(sql, organizationId, defaults);
    refuseAs(refuseBeyondQuota(standing, name, amount));
    return standing.quotas[name];
  };
  let allowed = isBounded(holder, defaults) ? await look() : null;
  return {
    async count() {
      while (!(await countToday(sql, organizationId, name, amount, allowed ?? largestQuota))) {
        // The quota did not allow the count. If other requests were counted first, `look` now
        // rejects this one; if the quota was changed, `look` returns the new one.
        allowed = await look();
      }
    },
  };
}

/** Rejects further data if the storage is full. Used for data that no daily quota counts. */
export async function refuseFullStorage(
  sql: Sql,
  holder: QuotaHolder,
  defaults: Quotas,
): Promise<void> {
  if (!isBounded(holder, defaults)) return;
  refuseAs(refuseBeyondStorage(await readQuotaStanding(sql, holder.organizationId, defaults)));
}

function refuseAs(refused: QuotaRefusal | undefined): void {
  if (refused === undefined) return;
  const { refusal, retryAfterSeconds } = refused;
  const headers =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  throw new Refused(refusal, headers);
}
