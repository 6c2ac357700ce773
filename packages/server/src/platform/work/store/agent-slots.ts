/** Slots for turns of the agent. Each organization has a limited number across all processes. */
import type { Sql } from '../../database/database.ts';

/**
 * Takes a slot and returns its id; undefined if all slots are taken. Expired slots, and slots from
 * before a restore (another epoch), are deleted first.
 */
export async function takeAgentSlot(
  sql: Sql,
  organizationId: string,
  { slots, leaseMs }: { readonly slots: number; readonly leaseMs: number },
): Promise<string | undefined> {
  const name = JSON.stringify(['agent slots', organizationId]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  await sql`
    delete from agent_slots where organization_id = ${organizationId}
      and (leased_until <= clock_timestamp() or epoch <> current_epoch())`;
  const [row] = await sql<{ id: string }[]>`
    insert into agent_slots (organization_id, leased_until)
    select ${organizationId}, clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where (select count(*) from agent_slots where organization_id = ${organizationId}) < ${slots}
    returning id`;
  return row?.id;
}

export async function freeAgentSlot(sql: Sql, id: string): Promise<void> {
  await sql`delete from agent_slots where id = ${id}`;
}
