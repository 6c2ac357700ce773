/**
 * The quotas of an organization, checked before a write and counted with it. Both run in the
 * transaction of the write: a rejected or failed write counts nothing. Without a quota nothing is
 * checked, but uses are counted: the operator sees the use of an organization before there is a
 * limit, and a limit that is set at noon includes the morning.
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
   * Must be last in the transaction: other requests of the organization wait for it from here on.
   */
  count(): Promise<void>;
}

export interface QuotaHolder {
  readonly organizationId: string;
  /** True if it has quotas that differ from the settings. */
  readonly hasQuotas: boolean;
}

const nothing: EnteredQuota = { count: async () => undefined };

/** Returns whether any quota applies; otherwise no check is needed. */
export function isBounded({ hasQuotas }: QuotaHolder, defaults: Quotas): boolean {
  return hasQuotas || hasQuota(defaults);
}

/**
 * Rejects an amount beyond the quota; of concurrent requests, the count decides which one gets it.
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
        // Other requests were first, and this one is rejected; or the quota was changed meanwhile.
        allowed = await look();
      }
    },
  };
}

/** Rejects stored data that no daily quota counts. */
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
