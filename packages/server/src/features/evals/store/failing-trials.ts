/** The trials of a run that failed, by what they were to call and what they called. */
import type { FailingTrial } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

/** Calls are read one by one, so there is an end to it. */
const mostRead = 500;

/** In the order in which the run has them. */
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

/** How far back a run with a server is looked for. */
const mostRunsLookedAt = 100;

/** Of the project, the newest that was completed on this server; a replay or a what-if says nothing of what it is now. */
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
