/** Trials of a project that have something to show, in the order in which their ends were recorded. */
import type { Json, PageRequest, StoredChain, TrialToExport } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readRecord } from '../database/read-document.ts';

export interface EndOfTrial {
  readonly runId: string;
  readonly ordinal: number;
  readonly id: string;
  readonly endedAt: Date;
}

/** What ended just now is left for later, so that a page does not grow while it is read. */
const restSeconds = 10;

/**
 * One more than asked, if there are. A trial is recorded a moment before others can read it, and a large report much
 * longer: nothing is read that ended after the oldest transaction that still writes began, or its trials would appear
 * before what was read already.
 */
export async function readEndedTrials(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
  rest: number = restSeconds,
): Promise<EndOfTrial[]> {
  const settledBefore = await readSettled(sql, rest);
  const rows = await sql<EndOfTrial[]>`
    select run_id, ordinal, id, ended_at from eval_iterations
    where ended_in_project = ${projectId} and ended_at < ${settledBefore}
      ${after ? sql`and (ended_at, id collate "C") > (${new Date(after.order)}, ${after.id})` : sql``}
    order by ended_at, id collate "C" limit ${limit + 1}`;
  return [...rows];
}

/**
 * What ended before this moment can be read by now, or never will be. It is asked for before the trials are read: who
 * is not among the writers any more has committed, and the next statement sees it. Ends are kept in milliseconds.
 */
async function readSettled(sql: Sql, rest: number): Promise<Date> {
  const [row] = await sql<{ settled: Date }[]>`
    select date_trunc('milliseconds', least(statement_timestamp() - make_interval(secs => ${rest}), min(xact_start))) as settled
    from pg_stat_activity where datname = current_database() and backend_xid is not null`;
  if (row === undefined) throw new Error('The database tells nothing of who writes.');
  return row.settled;
}

/** With how many characters its documents have. Nothing where it is gone by now, or its trace cannot be read. */
export async function readTrialToExport(
  sql: Sql,
  { runId, ordinal, endedAt }: EndOfTrial,
): Promise<{ readonly trial: TrialToExport; readonly size: number } | undefined> {
  const [row] = await sql<ExportedRow[]>`
    select id, run_id, case_id, iteration_number, status, result, model, provider, started_at, duration_ms, usage,
      chain, trace
    from eval_iterations join eval_traces using (run_id, ordinal)
    where run_id = ${runId} and ordinal = ${ordinal}`;
  const trace = row && readRecord(row.trace);
  if (row === undefined || trace === undefined) return undefined;
  const { startedAt, usage, chain, trace: text, ...columns } = row;
  return {
    size: text?.length ?? 0,
    trial: {
      ...columns,
      startedAtMs: startedAt?.getTime() ?? null,
      endedAtMs: endedAt.getTime(),
      usage: readRecord(usage) ?? null,
      chain: readRecord(chain) as StoredChain | undefined,
      trace: trace as Json,
    },
  };
}

type ExportedRow = Omit<
  TrialToExport,
  'startedAtMs' | 'endedAtMs' | 'usage' | 'chain' | 'trace'
> & {
  readonly startedAt: Date | null;
  readonly usage: string | null;
  readonly chain: string | null;
  readonly trace: string | null;
};
