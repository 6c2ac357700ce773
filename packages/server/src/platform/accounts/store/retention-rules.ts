/**
 * The retention rules of an organization. A kind of data without a rule here follows the rule in
 * the settings.
 */
import type { KeepRule, RetainedKind, Retention } from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';

export async function readRetention(
  sql: Sql,
  organizationId: string,
  defaults: Retention,
): Promise<Retention> {
  const rows = await sql<(KeepRule & { kind: RetainedKind })[]>`
    select kind, days, count from organization_retention where organization_id = ${organizationId}`;
  const own = rows.map(({ kind, days, count }) => [kind, { days, count }]);
  return { ...defaults, ...Object.fromEntries(own) };
}

/** `default` restores the rule of the settings. */
export async function setKeepRule(
  sql: Sql,
  organizationId: string,
  kind: RetainedKind,
  rule: KeepRule | 'default',
): Promise<void> {
  if (rule === 'default') {
    await sql`
      delete from organization_retention where organization_id = ${organizationId} and kind = ${kind}`;
    return;
  }
  await sql`
    insert into organization_retention (organization_id, kind, days, count)
    values (${organizationId}, ${kind}, ${rule.days}, ${rule.count})
    on conflict (organization_id, kind) do update set days = excluded.days, count = excluded.count`;
}
