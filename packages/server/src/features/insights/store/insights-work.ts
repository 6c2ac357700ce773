/**
 * The explanation of a scope (such as a run) is one row of leased work. Each request for it is a
 * new generation, and the row's only item is the current one.
 */
import type { InsightScopeKind } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { addWork, type ClaimedWork, closeWork } from '../../../platform/work/store/leased-work.ts';

export const insightsWork = 'insights';

export interface PlaceOfInsights {
  readonly organizationId: string;
  readonly projectId: string;
  readonly kind: InsightScopeKind;
  readonly scopeId: string;
}

export interface GenerationOfInsights extends PlaceOfInsights {
  readonly generation: number;
}

/**
 * Adds the work for a generation. The lease of the previous generation becomes invalid. The caller
 * must hold the lock of the scope's row.
 */
export async function addNarration(sql: Sql, of: GenerationOfInsights): Promise<void> {
  const { organizationId, projectId, generation } = of;
  const group = { kind: insightsWork, id: groupOf(of), organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, [{ firstItem: generation, lastItem: generation }]);
}

export async function closeNarration(sql: Sql, of: PlaceOfInsights): Promise<void> {
  await closeWork(sql, { kind: insightsWork, groupId: groupOf(of) });
}

/**
 * Returns whether the work is still waiting for its first worker and was requested at most
 * `longestMs` ago.
 */
export async function waitsInLine(
  sql: Sql,
  of: GenerationOfInsights,
  longestMs: number,
): Promise<boolean> {
  const rows = await sql`
    select from leased_work
    where leased_work.kind = ${insightsWork} and group_id = ${groupOf(of)} and first_item = ${of.generation}
      and leased_work.status = 'open'
      and exists (
        select from insights where insights.kind = ${of.kind} and scope_id = ${of.scopeId}
          and requested_at > statement_timestamp() - make_interval(secs => ${longestMs / 1000}))`;
  return rows.length > 0;
}

export function generationOfWork(work: ClaimedWork): GenerationOfInsights {
  const { organizationId, projectId, groupId, firstItem: generation } = work;
  const colon = groupId.indexOf(':');
  const kind = groupId.slice(0, colon) as InsightScopeKind;
  return { organizationId, projectId, kind, scopeId: groupId.slice(colon + 1), generation };
}

function groupOf({ kind, scopeId }: PlaceOfInsights): string {
  return `${kind}:${scopeId}`;
}
