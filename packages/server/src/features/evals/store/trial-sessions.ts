import type { Json, PageRequest } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord, readRecords } from '../../../platform/database/read-document.ts';
import { type SearchBounds, spelledPart } from '../../../platform/database/search-traces.ts';

export interface ListedTrial {
  readonly runId: string;
  readonly ordinal: number;
  readonly id: string;
  readonly title: string | null;
  readonly endedAt: Date;
}

/** Reads only indexed columns, and no traces. */
export async function readNewestTrials(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
): Promise<ListedTrial[]> {
  const rows = await sql<ListedTrial[]>`
    select run_id, ordinal, id, title, ended_at from eval_iterations
    where ended_in_project = ${projectId} and ended_at is not null
      ${after ? sql`and (ended_at, id collate "C") < (${new Date(after.order)}, ${after.id})` : sql``}
    order by ended_at desc, id collate "C" desc limit ${limit}`;
  return [...rows];
}

/**
 * Returns those of the newest trials whose trace may contain the search text; the caller then
 * searches their messages exactly. The total amount of text searched is limited. PostgreSQL knows
 * the length of a trace without reading it, so traces beyond the limit are not read.
 */
export async function readTrialsThatMaySay(
  sql: Sql,
  projectId: string,
  words: string,
  bounds: SearchBounds,
): Promise<ListedTrial[]> {
  const spelled = spelledPart(words);
  const rows = await sql<ListedTrial[]>`
    with newest as (
      select run_id, ordinal, id, title, ended_at from eval_iterations
      where ended_in_project = ${projectId} and ended_at is not null
      order by ended_at desc, id collate "C" desc limit ${bounds.traces}),
    measured as (
      select newest.*, sum(octet_length(trace)) over (order by ended_at desc, id collate "C" desc) as bytes
      from newest join eval_traces using (run_id, ordinal))
    select run_id, ordinal, id, title, ended_at from measured join eval_traces using (run_id, ordinal)
    where bytes <= ${bounds.bytes} and strpos(lower(trace), lower(${spelled})) > 0`;
  return [...rows];
}

export interface TrialSession {
  readonly suiteId: string;
  readonly suiteName: string;
  readonly runNumber: number;
  readonly source: 'ui' | 'api' | 'sdk';
  readonly isSample: boolean;
  readonly notes: string | null;
  readonly createdBy: string | null;
  readonly model: string | null;
  readonly startedAt: Date | null;
  readonly durationMs: number | null;
  readonly usage: Json | null;
  readonly toolCallCount: number;
  readonly messages: readonly unknown[];
  /** The length of the trace in characters. */
  readonly size: number;
}

/** Returns undefined if the trial no longer exists. */
export async function readTrialSession(
  sql: Sql,
  { runId, ordinal }: Pick<ListedTrial, 'runId' | 'ordinal'>,
): Promise<TrialSession | undefined> {
  const [row] = await sql<SessionRow[]>`
    select suite_id, eval_suites.name as suite_name, run_number, source, is_sample, notes, eval_runs.created_by, model,
      eval_iterations.started_at, duration_ms, usage, actual_tool_calls, trace
    from eval_iterations
      join eval_runs on eval_runs.id = ${runId}
      join eval_suites on eval_suites.id = suite_id
      left join eval_traces using (run_id, ordinal)
    where run_id = ${runId} and ordinal = ${ordinal}`;
  if (row === undefined) return undefined;
  const { usage, actualToolCalls, trace, ...columns } = row;
  const messages = readRecord(trace)?.['messages'];
  return {
    ...columns,
    usage: readRecord(usage) ?? null,
    toolCallCount: readRecords(actualToolCalls).length,
    messages: Array.isArray(messages) ? messages : [],
    size: trace?.length ?? 0,
  };
}

type SessionRow = Omit<TrialSession, 'usage' | 'toolCallCount' | 'messages' | 'size'> & {
  readonly usage: string | null;
  readonly actualToolCalls: string;
  readonly trace: string | null;
};
