/**
 * Requests for insights, one row per scope. A worker can write only while the request is pending
 * and its generation is the current one.
 */
import {
  type DetectedMaterial,
  type InsightErrorCode,
  type InsightScopeKind,
  type InsightState,
  insightErrors,
  isRecord,
  type NarrationAnswer,
  type StoredInsights,
  withoutExcerpts,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import type { GenerationOfInsights, PlaceOfInsights } from './insights-work.ts';

export interface HeldInsights {
  readonly state: InsightState;
  readonly generation: number;
}

/** Returns undefined if there was no request. */
export async function findInsights(
  sql: Sql,
  kind: InsightScopeKind,
  scopeId: string,
): Promise<StoredInsights | undefined> {
  const [row] = await sql<InsightsRow[]>`
    select status, model_used, error_code, generated_at, updated_at, candidates, answer from insights
    where kind = ${kind} and scope_id = ${scopeId} and status is not null`;
  return (
    row && {
      status: row.status,
      modelUsed: row.modelUsed,
      errorCode: isErrorCode(row.errorCode) ? row.errorCode : null,
      generatedAt: row.generatedAt?.getTime() ?? null,
      updatedAt: row.updatedAt.getTime(),
      material: readMaterial(row.candidates),
      answer: readAnswer(row.answer),
    }
  );
}

interface InsightsRow {
  readonly status: StoredInsights['status'];
  readonly modelUsed: string;
  readonly errorCode: string | null;
  readonly generatedAt: Date | null;
  readonly updatedAt: Date;
  readonly candidates: string | null;
  readonly answer: string | null;
}

export async function readInsightState(
  sql: Sql,
  { kind, scopeId }: Pick<PlaceOfInsights, 'kind' | 'scopeId'>,
): Promise<HeldInsights> {
  const [row] = await sql<{ status: StoredInsights['status'] | null; generation: number }[]>`
    select status, generation from insights where kind = ${kind} and scope_id = ${scopeId}`;
  return { state: row?.status ?? 'none', generation: row?.generation ?? 0 };
}

export async function holdInsights(sql: Sql, of: PlaceOfInsights): Promise<HeldInsights> {
  const { kind, scopeId, organizationId, projectId } = of;
  await sql`
    insert into insights (kind, scope_id, organization_id, project_id)
    values (${kind}, ${scopeId}, ${organizationId}, ${projectId}) on conflict do nothing`;
  const [row] = await sql<{ status: StoredInsights['status'] | null; generation: number }[]>`
    select status, generation from insights where kind = ${kind} and scope_id = ${scopeId}
    for no key update`;
  return { state: row?.status ?? 'none', generation: row?.generation ?? 0 };
}

/**
 * Begins the next generation and deletes the earlier explanation. The caller must hold the row's
 * lock.
 */
export async function beginGeneration(
  sql: Sql,
  { kind, scopeId, generation }: GenerationOfInsights,
  asked: { readonly requestedBy: string; readonly model: string },
): Promise<void> {
  await sql`
    update insights set status = 'pending', generation = ${generation}, requested_by = ${asked.requestedBy},
      model_used = ${asked.model}, requested_at = clock_timestamp(), beat_at = clock_timestamp(),
      candidates = null, answer = null, error_code = null, generated_at = null, updated_at = clock_timestamp()
    where kind = ${kind} and scope_id = ${scopeId}`;
}

/**
 * Returns the model that explains the findings, or undefined if this generation is no longer
 * pending.
 */
export async function findPendingModel(
  sql: Sql,
  { kind, scopeId, generation }: GenerationOfInsights,
): Promise<string | undefined> {
  const [row] = await sql<{ modelUsed: string }[]>`
    select model_used from insights
    where kind = ${kind} and scope_id = ${scopeId} and generation = ${generation} and status = 'pending'`;
  return row?.modelUsed;
}

/** Returns whether this generation is pending. If it is, records a sign of life of its worker. */
export async function recordWorkBeat(sql: Sql, of: GenerationOfInsights): Promise<boolean> {
  const { kind, scopeId, generation } = of;
  const { count } = await sql`
    update insights set beat_at = clock_timestamp()
    where kind = ${kind} and scope_id = ${scopeId} and generation = ${generation} and status = 'pending'`;
  return count > 0;
}

export async function keepCandidates(
  sql: Sql,
  { kind, scopeId, generation }: GenerationOfInsights,
  material: DetectedMaterial,
): Promise<boolean> {
  const { count } = await sql`
    update insights set candidates = ${JSON.stringify(material)}, beat_at = clock_timestamp()
    where kind = ${kind} and scope_id = ${scopeId} and generation = ${generation} and status = 'pending'`;
  return count > 0;
}

/**
 * Removes quotations of these runs' traces from stored insights. The caller holds the locks of the
 * runs, so no explanation of them is in progress.
 */
export async function removeExcerpts(
  sql: Sql,
  kind: InsightScopeKind,
  scopeIds: readonly string[],
): Promise<void> {
  const rows = await sql<{ scopeId: string; candidates: string }[]>`
    select scope_id, candidates from insights
    where kind = ${kind} and scope_id = any (${scopeIds as string[]}) and candidates is not null`;
  for (const { scopeId, candidates } of rows) {
    const material = readMaterial(candidates);
    const kept = material === undefined ? null : JSON.stringify(withoutExcerpts(material));
    await sql`update insights set candidates = ${kept} where kind = ${kind} and scope_id = ${scopeId}`;
  }
}

export type EndOfNarration =
  | { readonly answer: NarrationAnswer; readonly modelUsed: string }
  | { readonly errorCode: InsightErrorCode };

export async function concludeInsights(
  sql: Sql,
  { kind, scopeId, generation }: GenerationOfInsights,
  end: EndOfNarration,
): Promise<boolean> {
  const endColumns =
    'answer' in end
      ? sql`status = 'completed', answer = ${JSON.stringify(end.answer)}, model_used = ${end.modelUsed},
          generated_at = clock_timestamp()`
      : sql`status = 'failed', error_code = ${end.errorCode}`;
  const { count } = await sql`
    update insights set ${endColumns}, updated_at = clock_timestamp()
    where kind = ${kind} and scope_id = ${scopeId} and generation = ${generation} and status = 'pending'`;
  return count > 0;
}

/**
 * Ends a pending request without an answer; the row keeps its generation number. The caller must
 * hold the row's lock, and end the leased work.
 */
export async function releaseInsights(
  sql: Sql,
  { kind, scopeId }: Pick<PlaceOfInsights, 'kind' | 'scopeId'>,
): Promise<void> {
  await sql`
    update insights set status = null, candidates = null, updated_at = clock_timestamp()
    where kind = ${kind} and scope_id = ${scopeId} and status = 'pending'`;
}

/** Lists pending requests whose worker has given no sign of life for the given time. */
export async function listSilentInsights(
  sql: Sql,
  silentMs: number,
): Promise<GenerationOfInsights[]> {
  return sql`select * from silent_insights(${silentMs / 1000})`;
}

/** Returns undefined if the text is unreadable. */
export function readMaterial(text: string | null): DetectedMaterial | undefined {
  const stored = readRecord(text);
  const isWhole = isRecord(stored?.['coverage']) && Array.isArray(stored['candidates']);
  return isWhole ? (stored as unknown as DetectedMaterial) : undefined;
}

export function readAnswer(text: string | null): NarrationAnswer | undefined {
  const stored = readRecord(text);
  const isWhole = typeof stored?.['summary'] === 'string' && isRecord(stored['narrations']);
  return isWhole ? (stored as unknown as NarrationAnswer) : undefined;
}

function isErrorCode(code: string | null): code is InsightErrorCode {
  return code !== null && Object.hasOwn(insightErrors, code);
}
