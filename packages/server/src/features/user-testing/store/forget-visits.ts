/**
 * Erases sessions of visitors with their turns, traces and ratings. Counts in findings and insights
 * remain, but the session ids and excerpts are removed. A transaction that stores session ids locks
 * these sessions first, so an erased id cannot reappear.
 */
import {
  type Candidate,
  forgetInAnswer,
  forgetInCandidate,
  forgetInMaterial,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import { readAnswer, readMaterial } from '../../insights/index.ts';
import { lockWindows } from './windows.ts';

export async function forgetVisits(
  sql: Sql,
  scenarioId: string,
  sessionIds: readonly string[],
): Promise<string[]> {
  await lockWindows(sql, scenarioId);
  const removed = await sql<{ id: string; startedAt: Date; lastActivityAt: Date }[]>`
    delete from visitor_sessions
    where scenario_id = ${scenarioId} and id = any (${sessionIds})
    returning id, started_at, last_activity_at`;
  const gone = new Set(removed.map(({ id }) => id));
  if (gone.size === 0) return [];
  await forgetInFindings(sql, scenarioId, gone);
  await forgetInWindows(sql, scenarioId, gone, {
    from: new Date(Math.min(...removed.map(({ startedAt }) => startedAt.getTime()))),
    to: new Date(Math.max(...removed.map(({ lastActivityAt }) => lastActivityAt.getTime()))),
  });
  return [...gone];
}

/**
 * The SQL condition for a JSON text that contains one of these session ids. A plain substring
 * search is enough, because ids are random.
 */
function namesAny(
  sql: Sql,
  column: 'evidence' | 'counted_session_ids' | 'result',
  gone: ReadonlySet<string>,
) {
  return sql`exists (
    select from unnest(${[...gone]}::text[]) name where strpos(${sql(column)}, name) > 0)`;
}

async function forgetInFindings(sql: Sql, scenarioId: string, gone: ReadonlySet<string>) {
  const rows = await sql<{ fingerprint: string; evidence: string; countedSessionIds: string }[]>`
    select fingerprint, evidence, counted_session_ids from scenario_findings
    where scenario_id = ${scenarioId}
      and (${namesAny(sql, 'evidence', gone)} or ${namesAny(sql, 'counted_session_ids', gone)})`;
  for (const { fingerprint, evidence, countedSessionIds } of rows) {
    await sql`
      update scenario_findings set evidence = ${without(evidence, gone)},
        counted_session_ids = ${without(countedSessionIds, gone)}
      where scenario_id = ${scenarioId} and fingerprint = ${fingerprint}`;
  }
}

/** Returns the document without these ids in any of its lists. */
function without(text: string, gone: ReadonlySet<string>): string {
  return JSON.stringify(readDocument(text), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => !gone.has(one as string)) : value,
  );
}

/**
 * Removes the session ids from the windows that overlap the time in which the sessions were active.
 * Windows are never deleted, so searching all of them would take longer every day.
 */
async function forgetInWindows(
  sql: Sql,
  scenarioId: string,
  gone: ReadonlySet<string>,
  active: { readonly from: Date; readonly to: Date },
) {
  const rows = await sql<{ id: string; result: string }[]>`
    select id, result from scenario_windows
    where scenario_id = ${scenarioId} and window_end_at >= ${active.from}
      and window_start_at <= ${active.to} and ${namesAny(sql, 'result', gone)}`;
  for (const { id, result } of rows) {
    const stored = readRecord(result) ?? {};
    const candidates = (stored['candidates'] as Candidate[] | undefined) ?? [];
    const kept = { ...stored, candidates: candidates.map((one) => forgetInCandidate(one, gone)) };
    await sql`update scenario_windows set result = ${JSON.stringify(kept)} where id = ${id}`;
    await forgetInInsights(sql, id, gone);
  }
}

async function forgetInInsights(sql: Sql, windowId: string, gone: ReadonlySet<string>) {
  const [row] = await sql<{ candidates: string | null; answer: string | null }[]>`
    select candidates, answer from insights
    where kind = 'user_testing_window' and scope_id = ${windowId} for no key update`;
  if (row === undefined) return;
  const [material, answer] = [readMaterial(row.candidates), readAnswer(row.answer)];
  await sql`
    update insights set candidates = ${material ? JSON.stringify(forgetInMaterial(material, gone)) : null},
      answer = ${answer ? JSON.stringify(forgetInAnswer(answer, gone)) : null}
    where kind = 'user_testing_window' and scope_id = ${windowId}`;
}

export async function listOldVisits(
  sql: Sql,
  { retentionDays, afterUnpublishingDays, withoutMessageDays, most }: VisitRetention,
): Promise<{ readonly id: string; readonly scenarioId: string; readonly projectId: string }[]> {
  return sql`
    select session.id, scenario_id, session.project_id
    from visitor_sessions session join scenarios on scenarios.id = scenario_id
    where last_activity_at < clock_timestamp() - make_interval(days => ${retentionDays})
      or unpublished_at < clock_timestamp() - make_interval(days => ${afterUnpublishingDays})
      or (message_count = 0 and last_activity_at < clock_timestamp() - make_interval(days => ${withoutMessageDays}))
    order by scenario_id, session.id limit ${most}`;
}

export interface VisitRetention {
  readonly retentionDays: number;
  readonly afterUnpublishingDays: number;
  readonly withoutMessageDays: number;
  readonly most: number;
}
