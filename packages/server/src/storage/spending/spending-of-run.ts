/** What the trials of runs cost, and the judges who were asked about them. */
import type { LedgerKind, RunSpending } from '@proofmark/domain';
import type { Fragment, Sql } from '../database/database.ts';

/** Nothing where no model was asked, or before there was a ledger. */
export async function readSpendingOfRun(
  sql: Sql,
  runId: string,
  kinds: readonly LedgerKind[] = ['trial_step', 'judge'],
): Promise<RunSpending | undefined> {
  const [row] = await sql<(RunSpending & { steps: number })[]>`
    select count(*)::integer as steps, coalesce(sum(credits), 0)::float8 as credits,
      coalesce(bool_and(priced), true) as priced, coalesce(sum(input_tokens), 0)::float8 as input_tokens,
      coalesce(sum(output_tokens), 0)::float8 as output_tokens
    from ledger where kind = any (string_to_array(${kinds.join()}, ',')) and ${ofRun(sql, sql`${runId}`)}`;
  if (row === undefined || row.steps === 0) return undefined;
  const { credits, priced, inputTokens, outputTokens } = row;
  return { credits, priced, inputTokens, outputTokens };
}

/** By model, of the last run of the suite that used it and knew what every trial cost. */
export async function readCreditsPerTrial(
  sql: Sql,
  suiteId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ model: string; credits: number }[]>`
    with ended as (
      select id from eval_runs
      where suite_id = ${suiteId} and source <> 'sdk' and status not in ('pending', 'running')
      order by run_number desc limit 5)
    select distinct on (ledger.model) ledger.model, avg(credits)::float8 as credits
    from ended join ledger on kind = 'trial_step' and ${ofRun(sql, sql`ended.id`)}
    group by ledger.model, ended.id having bool_and(priced) order by ledger.model, ended.id desc`;
  return new Map(rows.map(({ model, credits }) => [model, credits]));
}

/** Refs are the run, a slash and a trial; "0" comes next after a slash. */
function ofRun(sql: Sql, runId: Fragment): Fragment {
  return sql`ref >= ${runId} || '/' and ref < ${runId} || '0'`;
}
