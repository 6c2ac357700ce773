import type { Json, PageRequest, StoredChain } from '@proofmark/domain';
import type { TrialToExport } from '@proofmark/report';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

export interface EndOfTrial {
  readonly runId: string;
  readonly ordinal: number;
  readonly id: string;
  readonly endedAt: Date;
}

/** Returns at most one trial more than `limit`, which shows that more exist. */
export async function readEndedTrials(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
  settledBefore: Date,
): Promise<EndOfTrial[]> {
  const rows = await sql<EndOfTrial[]>`
    select run_id, ordinal, id, ended_at from eval_iterations
    where ended_in_project = ${projectId} and ended_at < ${settledBefore}
      ${after ? sql`and (ended_at, id collate "C") > (${new Date(after.order)}, ${after.id})` : sql``}
    order by ended_at, id collate "C" limit ${limit + 1}`;
  return [...rows];
}

/**
 * `size` is the length of the trial's documents in characters. Undefined if the trial no longer
 * exists or its trace cannot be read.
 */
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
