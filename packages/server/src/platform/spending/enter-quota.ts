/**
 * The quotas of an organization, asked before something is written and counted when it is. Both happen in the transaction of
 * the write: what is refused, or fails, counts nothing. Where there is no quota nothing is asked, but it is counted all the
 * same: the operator sees what an organization uses before there is a limit, and a limit that is set at noon knows the
 * morning.
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
  /** The last thing in the transaction: others of the organization wait for it from here on. */
  count(): Promise<void>;
}

export interface QuotaHolder {
  readonly organizationId: string;
  /** Whether it has quotas of its own. */
  readonly hasQuotas: boolean;
}

const nothing: EnteredQuota = { count: async () => undefined };

/** Where it is not, nothing needs to be asked. */
export function isBounded({ hasQuotas }: QuotaHolder, defaults: Quotas): boolean {
  return hasQuotas || hasQuota(defaults);
}

/** Refuses what there is no room for; of several that ask at once, the count decides who has it. */
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
        // Others were first, and then it is refused; or the quota was changed meanwhile.
        allowed = await look();
      }
    },
  };
}

/** For what is stored and counted by no daily quota. */
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
