import type { FailingTrial, Json } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord, readRecords } from '../../../platform/database/read-document.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

/**
 * The maximum number of failed trials to read, because their calls are parsed one trial at a time.
 */
const mostRead = 500;

/** In the order of the run. */
export async function listFailingTrials(sql: Sql, runId: string): Promise<FailingTrial[]> {
  const rows = await sql<{ id: string; expectedToolCalls: string; actualToolCalls: string }[]>`
    select id, expected_tool_calls, actual_tool_calls from eval_iterations
    where run_id = ${runId} and result = 'failed' order by ordinal limit ${mostRead}`;
  return rows.map(({ id, expectedToolCalls, actualToolCalls }) => ({
    id,
    expectedToolCalls: readRecords(expectedToolCalls),
    actualToolCalls: readRecords(actualToolCalls),
  }));
}

export interface FailingTrace {
  readonly caseId: string | null;
  readonly trace: Json;
}

/** Reading this many traces takes a few seconds at most. */
const mostTraces = 20;
const longestTrace = 1_000_000;

/** Reads the traces of the first failed trials, without very long ones. */
export async function listFailingTraces(sql: Sql, runId: string): Promise<FailingTrace[]> {
  const rows = await sql<{ caseId: string | null; trace: string }[]>`
    select case_id, trace from eval_iterations join eval_traces using (run_id, ordinal)
    where run_id = ${runId} and result = 'failed' and octet_length(trace) <= ${longestTrace}
    order by ordinal limit ${mostTraces}`;
  return rows.map(({ caseId, trace }) => ({ caseId, trace: readRecord(trace) ?? {} }));
}

const mostRunsLookedAt = 100;

/**
 * Replays and runs with an overlay are skipped, because they do not show the server's own tools.
 */
export async function findNewestRunOn(
  sql: Sql,
  projectId: string,
  serverId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from (
      select id, snapshot, created_at from eval_runs
      where project_id = ${projectId} and status = 'completed' and ${countsForSuiteIn(sql)}
      order by created_at desc limit ${mostRunsLookedAt}
    ) newest
    where position(${JSON.stringify(serverId)} in snapshot) > 0
    order by created_at desc, id desc limit 1`;
  return row?.id;
}
