import type { Database } from '../../database/database.ts';
import type { HeldWork } from './leased-work.ts';

/**
 * Returns the leases that are still valid; with `prolongMs`, also whether each was prolonged. An
 * expired lease is lost even if no worker has taken it: its work was paused and would mistake the
 * pause for silence of a server. Locked rows are skipped; they count as valid until the next check.
 */
export async function standingLeases(
  database: Pick<Database, 'tenant'>,
  held: readonly HeldWork[],
  prolongMs: number | undefined,
): Promise<Map<string, boolean>> {
  const organizations = [...new Set(held.map(({ organizationId }) => organizationId))];
  const wanted = JSON.stringify(
    held.map(({ kind, groupId, number, lease }) => ({ kind, group_id: groupId, number, lease })),
  );
  const rows = await database.tenant(organizations, (sql) => {
    const asked = sql`json_to_recordset(${wanted}::text::json)
      as held (kind text, group_id text, number integer, lease bigint)`;
    const same = sql`work.kind = held.kind and work.group_id = held.group_id and work.number = held.number
      and work.lease = held.lease and work.status = 'leased' and work.leased_until > clock_timestamp()`;
    if (prolongMs === undefined) {
      return sql<StandingLease[]>`
        select work.lease::text, false as is_prolonged from leased_work work, ${asked} where ${same}`;
    }
    // Locks the leases in the order of kind, group and number.
    return sql<StandingLease[]>`
      with free as (
        select work.kind, work.group_id, work.number from leased_work work, ${asked} where ${same}
        order by work.kind, work.group_id, work.number for no key update of work skip locked),
      prolonged as (
        update leased_work work set leased_until = clock_timestamp() + make_interval(secs => ${prolongMs / 1000})
        from free where work.kind = free.kind and work.group_id = free.group_id and work.number = free.number
        returning work.lease)
      select work.lease::text, prolonged.lease is not null as is_prolonged
      from ${asked} join leased_work work on ${same} left join prolonged on prolonged.lease = held.lease`;
  });
  return new Map(rows.map(({ lease, isProlonged }) => [lease, isProlonged]));
}

interface StandingLease {
  readonly lease: string;
  readonly isProlonged: boolean;
}
