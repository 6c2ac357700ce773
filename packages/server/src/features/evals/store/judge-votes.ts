import type { JudgeVotes } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

export async function countJudgeVotes(sql: Sql, runId: string): Promise<JudgeVotes | undefined> {
  const [row] = await sql<JudgeVotes[]>`
    select count(*) filter (where score->>'passed' = 'true')::integer as held,
      count(*) filter (where score->>'passed' = 'false')::integer as failed,
      count(*) filter (where score->>'status' = 'error')::integer as errors,
      coalesce(sum(cast_votes.votes), 0)::integer as votes, coalesce(sum(cast_votes.agreed), 0)::integer as agreed,
      coalesce(sum(cast_votes.failed_votes), 0)::integer as failed_votes
    from eval_iterations
      cross join json_array_elements(scores::json) score
      cross join lateral (
        select count(vote->>'passed') as votes, count(*) filter (where vote->>'passed' is null) as failed_votes,
          count(*) filter (where vote->>'passed' = score->>'passed') as agreed
        from json_array_elements(case when json_typeof(score->'votes') = 'array' then score->'votes' else '[]' end) vote
      ) cast_votes
    where run_id = ${runId} and scores is not null and score->>'scorerId' like 'predicate:goalCompleted%'`;
  return row !== undefined && row.held + row.failed + row.errors > 0 ? row : undefined;
}

export async function keepJudgeVotes(sql: Sql, runId: string, votes: JudgeVotes): Promise<void> {
  await sql`update eval_runs set judge_votes = ${JSON.stringify(votes)} where id = ${runId}`;
}

export function readJudgeVotes(text: string | null): JudgeVotes | null {
  const stored = readRecord(text);
  if (stored === undefined || !names.every((name) => Number.isSafeInteger(stored[name])))
    return null;
  return stored as unknown as JudgeVotes;
}

const names = ['held', 'failed', 'errors', 'votes', 'agreed', 'failedVotes'];
