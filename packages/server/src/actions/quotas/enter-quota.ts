/**
 * The quotas of an organization, asked before something is written and counted when it is. Both happen in the transaction of
 * the write: what is refused, or fails, counts nothing.
 */
import {
  type DailyQuotaName,
  type QuotaRefusal,
  type Quotas,
  Refused,
  refuseBeyondQuota,
} from '@proofmark/domain';
import { countToday } from '../../storage/accounts/daily-counters.ts';
import { readQuotaStanding } from '../../storage/accounts/quotas.ts';
import type { Sql } from '../../storage/database/database.ts';

export interface EnteredQuota {
  /** The last thing in the transaction: others of the organization wait for it from here on. */
  count(): Promise<void>;
}

/** Refuses what there is no room for; of several that ask at once, the count decides who has it. */
export async function enterQuota(
  sql: Sql,
  organizationId: string,
  defaults: Quotas,
  name: DailyQuotaName,
  amount: number,
): Promise<EnteredQuota> {
  const look = () => readQuotaStanding(sql, organizationId, defaults);
  const standing = await look();
  refuseAs(refuseBeyondQuota(standing, name, amount));
  const allowed = standing.quotas[name];
  return {
    async count() {
      if (allowed === null || amount <= 0) return;
      if (await countToday(sql, organizationId, name, amount, allowed)) return;
      refuseAs(refuseBeyondQuota(await look(), name, amount));
      throw new Error('A quota refused what it has room for.');
    },
  };
}

function refuseAs(refused: QuotaRefusal | undefined): void {
  if (refused === undefined) return;
  const { refusal, retryAfterSeconds } = refused;
  const headers =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  throw new Refused(refusal, headers);
}
