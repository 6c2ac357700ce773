/** The leased work of explaining a scope: one row, whose item is the generation that is worked for. */
import type { InsightScopeKind } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { addWork, type ClaimedWork, closeWork } from '../work/leased-work.ts';

export const insightsWork = 'insights';

/** Of which project, and what is to be explained. */
export interface PlaceOfInsights {
  readonly organizationId: string;
  readonly projectId: string;
  readonly kind: InsightScopeKind;
  readonly scopeId: string;
}

export interface GenerationOfInsights extends PlaceOfInsights {
  readonly generation: number;
}

/** Whoever works for the generation before holds it no more. The caller holds the row of the scope. */
export async function addNarration(sql: Sql, of: GenerationOfInsights): Promise<void> {
  const { organizationId, projectId, generation } = of;
  const group = { kind: insightsWork, id: groupOf(of), organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, [{ firstItem: generation, lastItem: generation }]);
}

export async function closeNarration(sql: Sql, of: PlaceOfInsights): Promise<void> {
  await closeWork(sql, { kind: insightsWork, groupId: groupOf(of) });
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
