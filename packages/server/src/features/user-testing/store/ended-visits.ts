/**
 * Reads ended sessions of a project's visitors, in the order of their ends. Sessions of unpublished
 * scenarios are left out.
 */
import type { Json, PageRequest, StoredChain } from '@proofmark/domain';
import type { RecordedTurn, VisitToExport } from '@proofmark/report';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { isRealVisit, isSettledVisit } from './read-visits.ts';

export interface EndOfVisit {
  readonly id: string;
  readonly endedAt: Date;
}

/**
 * Returns a time before which every ended session has an outcome. A reader that pages by end time
 * must stop there: a session that gets its outcome later would be skipped.
 */
export async function readOutcomesBefore(
  sql: Sql,
  projectId: string,
  settledBefore: Date,
): Promise<Date> {
  const [row] = await sql<{ before: Date }[]>`
    select least(${settledBefore}, min(ended_at)) as before
    from visitor_sessions session join scenarios on scenarios.id = scenario_id
    where session.project_id = ${projectId} and ${hasEnded(sql)} and not ${isSettledVisit(sql)}`;
  return row?.before ?? settledBefore;
}

/**
 * Returns up to one session more than the limit, so that the caller knows whether there is a next
 * page.
 */
export async function readEndedVisits(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
  before: Date,
): Promise<EndOfVisit[]> {
  const rows = await sql<EndOfVisit[]>`
    select session.id, ended_at from visitor_sessions session join scenarios on scenarios.id = scenario_id
    where session.project_id = ${projectId} and ${hasEnded(sql)} and ended_at < ${before}
      ${after ? sql`and (ended_at, session.id collate "C") > (${new Date(after.order)}, ${after.id})` : sql``}
    order by ended_at, session.id collate "C" limit ${limit + 1}`;
  return [...rows];
}

/**
 * Returns the session with its traces and their length in characters. Returns undefined if the
 * session no longer exists or has no readable trace.
 */
export async function readVisitToExport(
  sql: Sql,
  { id, endedAt }: EndOfVisit,
): Promise<{ readonly visit: VisitToExport; readonly size: number } | undefined> {
  const [row] = await sql<ExportedRow[]>`
    select id, scenario_id, environment_id, outcome, model_id, started_at, last_activity_at, usage, chain
    from visitor_sessions where id = ${id}`;
  const traced = await sql<{ createdAt: Date; trace: string }[]>`
    select created_at, trace from visitor_turns join visitor_traces on turn_id = id
    where session_id = ${id} order by ordinal`;
  const turns = traced.flatMap(({ createdAt, trace: text }): RecordedTurn[] => {
    const trace = readRecord(text);
    return trace === undefined ? [] : [{ startedAtMs: createdAt.getTime(), trace: trace as Json }];
  });
  if (row === undefined || turns.length === 0) return undefined;
  const { startedAt, lastActivityAt, usage, chain, ...columns } = row;
  return {
    size: traced.reduce((size, { trace }) => size + trace.length, 0),
    visit: {
      ...columns,
      startedAtMs: startedAt.getTime(),
      lastActivityAtMs: lastActivityAt.getTime(),
      endedAtMs: endedAt.getTime(),
      usage: readRecord(usage) ?? null,
      chain: readRecord(chain) as StoredChain | undefined,
      turns,
    },
  };
}

function hasEnded(sql: Sql): Fragment {
  return sql`status = 'ended' and ${isRealVisit(sql)} and unpublished_at is null`;
}

type ExportedRow = Pick<
  VisitToExport,
  'id' | 'scenarioId' | 'environmentId' | 'outcome' | 'modelId'
> & {
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly usage: string | null;
  readonly chain: string | null;
};
