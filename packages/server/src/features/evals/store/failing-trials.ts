/** Reads the failed trials of a run with their expected and actual calls. */
import type { FailingTrial } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

/**
 * The maximum number of failed trials to read, because their calls are parsed one trial at a time.
 */
const mostRead = 500;

/** Lists the failed trials in the order of the run. */
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

/** The maximum number of recent runs that are searched for one that used the server. */
const mostRunsLookedAt = 100;

/**
 * Finds the project's newest completed run on this server. Replays and runs with an overlay are
 * skipped, because they do not show the server as it is.
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
