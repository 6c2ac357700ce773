import {
  type QuotaName,
  type QuotaStanding,
  type Quotas,
  quotaNames,
  quotasOf,
} from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';

interface StandingRow {
  readonly kind: 'allowed' | 'used' | 'now';
  readonly name: string;
  readonly amount: number | null;
}

/**
 * Reads the quotas and their use in one statement, since every launch, report and upload needs
 * them.
 */
export async function readQuotaStanding(
  sql: Sql,
  organizationId: string,
  defaults: Quotas,
): Promise<QuotaStanding> {
  const rows = await sql<StandingRow[]>`
    select 'allowed' as kind, name, allowed::float8 as amount from organization_quotas
    where organization_id = ${organizationId}
    union all
    select 'used', counter, used::float8 from daily_counters
    where organization_id = ${organizationId} and day = (now() at time zone 'UTC')::date
    union all
    select 'used', 'storedBytes', bytes::float8 from organization_sizes
    where organization_id = ${organizationId}
    union all
    select 'now', 'now', (extract(epoch from now()) * 1000)::float8`;
  const own: { [Name in QuotaName]?: number | null } = {};
  const used = { storedBytes: 0, trialsPerDay: 0, uploadBytesPerDay: 0 };
  let nowMs = 0;
  for (const { kind, name, amount } of rows) {
    if (kind === 'now') nowMs = Math.floor(amount ?? 0);
    else if (!isQuotaName(name)) continue;
    else if (kind === 'allowed') own[name] = amount;
    else used[name] = amount ?? 0;
  }
  return { quotas: quotasOf(defaults, own), used, nowMs };
}

function isQuotaName(name: string): name is QuotaName {
  return (quotaNames as readonly string[]).includes(name);
}

/**
 * Sets a quota. `null` means unlimited, even if the settings have a limit; `default` restores the
 * limit of the settings.
 */
export async function setQuota(
  sql: Sql,
  organizationId: string,
  name: QuotaName,
  allowed: number | null | 'default',
): Promise<void> {
  if (allowed === 'default') {
    await sql`
      delete from organization_quotas where organization_id = ${organizationId} and name = ${name}`;
    return;
  }
  await sql`
    insert into organization_quotas (organization_id, name, allowed)
    values (${organizationId}, ${name}, ${allowed})
    on conflict (organization_id, name) do update set allowed = excluded.allowed`;
}
