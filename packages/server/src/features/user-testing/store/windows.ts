/**
 * A window is the result of the detectors over a scenario's sessions up to a time. Each session
 * that gets its outcome requests a new window.
 */
import {
  type Candidate,
  type InsightCoverage,
  inputOfWindow,
  isRecord,
  mostCountedSessions,
  type SessionOfWindow,
  type WindowCounts,
  windowMs,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { addBehind, addWork, type ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import { isRealVisit, isSettledVisit, readFeedback } from './read-visits.ts';

export const windowMiningWork = 'window-mining';

export interface PlaceOfScenario {
  readonly organizationId: string;
  readonly projectId: string;
  readonly scenarioId: string;
}

/**
 * Requests a mining after `debounceMs`, so that one mining covers all sessions that end within this
 * time. While a mining is running, another one is queued: the running one may have missed the new
 * session.
 */
export async function askToMine(
  sql: Sql,
  { organizationId, projectId, scenarioId }: PlaceOfScenario,
  debounceMs: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`window mining ${scenarioId}`}, 0))`;
  const asked = await sql<{ status: 'open' | 'leased' }[]>`
    select status from leased_work
    where kind = ${windowMiningWork} and group_id = ${scenarioId} and status <> 'done' for share`;
  if (asked.some(({ status }) => status === 'open')) return;
  const group = { kind: windowMiningWork, id: scenarioId, organizationId, projectId, atOnce: 1 };
  const range = { firstItem: 1, lastItem: 1 };
  if (asked.length === 0) await addWork(sql, group, [range]);
  else await addBehind(sql, group, range);
  await sql`
    update leased_work set not_before = clock_timestamp() + make_interval(secs => ${debounceMs / 1000})
    where kind = ${windowMiningWork} and group_id = ${scenarioId} and status = 'open'`;
}

export function scenarioOfWork(work: ClaimedWork): PlaceOfScenario {
  const { organizationId, projectId, groupId } = work;
  return { organizationId, projectId, scenarioId: groupId };
}

/**
 * Takes an advisory lock until the transaction ends. Transactions that write windows or erase
 * sessions of a scenario must take it first.
 */
export async function lockWindows(sql: Sql, scenarioId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`windows ${scenarioId}`}, 0))`;
}

export interface SessionsOfWindow {
  readonly startAt: Date;
  readonly endAt: Date;
  readonly counts: WindowCounts;
  /** The newest sessions of the window, oldest first. */
  readonly sessions: readonly SessionOfWindow[];
}

/** Reads the sessions of a window that ends now. */
export async function readSessionsOfWindow(
  sql: Sql,
  scenarioId: string,
): Promise<SessionsOfWindow> {
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  const endAt = now?.at ?? new Date();
  const startAt = new Date(endAt.getTime() - windowMs);
  const within = sql`scenario_id = ${scenarioId} and ${isRealVisit(sql)}
    and last_activity_at >= ${startAt} and last_activity_at < ${endAt}`;
  const [counts] = await sql<{ total: number; settled: number }[]>`
    select count(*)::integer as total, (count(*) filter (where ${isSettledVisit(sql)}))::integer as settled
    from visitor_sessions where ${within}`;
  const rows = await sql<{ id: string; lastActivityAt: Date }[]>`
    select id, last_activity_at from visitor_sessions where ${within} and ${isSettledVisit(sql)}
    order by last_activity_at desc, id collate "C" desc limit ${mostCountedSessions}`;
  const given = await readFeedback(
    sql,
    rows.map(({ id }) => id),
  );
  const sessions = rows.reverse().map(({ id, lastActivityAt }) => ({
    id,
    lastActivityAt: lastActivityAt.getTime(),
    feedback: (given.get(id) ?? []).map(({ rating, updatedAt }) => ({
      rating,
      updatedAt: updatedAt.getTime(),
    })),
  }));
  const feedback = sessions.reduce((sum, session) => sum + session.feedback.length, 0);
  return { startAt, endAt, counts: { total: 0, settled: 0, ...counts, feedback }, sessions };
}

/** The same sessions with the same ratings give the same hash. */
export function hashOfSessions(sessions: readonly SessionOfWindow[]): string {
  return sha256Hex(inputOfWindow(sessions));
}

/**
 * Returns those of the ids that still exist, and prevents the deletion of these sessions until the
 * transaction ends.
 */
export async function holdVisits(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from visitor_sessions where id = any (${ids})
    order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

export interface WindowResult {
  readonly coverage: InsightCoverage;
  readonly candidateCount: number;
  readonly candidates: readonly Candidate[];
}

export interface StoredWindow {
  readonly id: string;
  readonly scenarioId: string;
  readonly windowStartAt: Date;
  readonly windowEndAt: Date;
  readonly minedAt: Date;
  readonly inputHash: string;
  readonly result: WindowResult;
}

export async function findNewestWindow(
  sql: Sql,
  scenarioId: string,
): Promise<StoredWindow | undefined> {
  const [row] = await sql<WindowRow[]>`
    select id, scenario_id, window_start_at, window_end_at, mined_at, input_hash, result from scenario_windows
    where scenario_id = ${scenarioId} order by window_end_at desc, id desc limit 1`;
  return row && windowOf(row);
}

export async function findWindow(
  sql: Sql,
  scenarioId: string | undefined,
  windowId: string,
): Promise<StoredWindow | undefined> {
  const [row] = await sql<WindowRow[]>`
    select id, scenario_id, window_start_at, window_end_at, mined_at, input_hash, result from scenario_windows
    where id = ${windowId} ${scenarioId === undefined ? sql`` : sql`and scenario_id = ${scenarioId}`}`;
  return row && windowOf(row);
}

type WindowRow = Omit<StoredWindow, 'result'> & { readonly result: string };

/** Returns undefined if the stored result cannot be parsed. Such a window counts as not mined. */
function windowOf({ result, ...row }: WindowRow): StoredWindow | undefined {
  const stored = readRecord(result);
  const isWhole = isRecord(stored?.['coverage']) && Array.isArray(stored['candidates']);
  return isWhole ? { ...row, result: stored as unknown as WindowResult } : undefined;
}

export async function insertWindow(
  sql: Sql,
  { organizationId, projectId, scenarioId }: PlaceOfScenario,
  window: Omit<StoredWindow, 'scenarioId' | 'minedAt'>,
): Promise<void> {
  await sql`
    insert into scenario_windows ${sql({
      id: window.id,
      organization_id: organizationId,
      project_id: projectId,
      scenario_id: scenarioId,
      input_hash: window.inputHash,
      window_start_at: window.windowStartAt,
      window_end_at: window.windowEndAt,
      result: JSON.stringify(window.result),
    })}`;
}

/** Returns whether a message or a rating has arrived since the window ended. */
export async function hasNewerTraffic(
  sql: Sql,
  scenarioId: string,
  { windowEndAt }: Pick<StoredWindow, 'windowEndAt'>,
): Promise<boolean> {
  const rows = await sql`
    select from visitor_sessions
    where scenario_id = ${scenarioId} and ${isRealVisit(sql)}
      and (last_activity_at >= ${windowEndAt} or rated_at >= ${windowEndAt}) limit 1`;
  return rows.length > 0;
}
