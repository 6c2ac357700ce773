import type { LedgerKind, RunSpending, TokensPerTrial } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

/** Returns undefined if the run called no model, or ran before the ledger existed. */
export async function readSpendingOfRun(
  sql: Sql,
  runId: string,
  kinds: readonly LedgerKind[],
): Promise<RunSpending | undefined> {
  const [row] = await sql<(RunSpending & { steps: number })[]>`
    select count(*)::integer as steps, coalesce(sum(credits), 0)::float8 as credits,
      coalesce(bool_and(priced), true) as priced, coalesce(sum(input_tokens), 0)::float8 as input_tokens,
      coalesce(sum(output_tokens), 0)::float8 as output_tokens
    from ledger where kind = any (${kinds}) and ${ofRun(sql, sql`${runId}`)}`;
  if (row === undefined || row.steps === 0) return undefined;
  const { credits, priced, inputTokens, outputTokens } = row;
  return { credits, priced, inputTokens, outputTokens };
}

export async function readSpendingWithJudges(
  sql: Sql,
  runId: string,
): Promise<RunSpending | undefined> {
  const rows = await sql<JudgedRow[]>`
    select ${judgedColumns(sql)} from ledger
    where kind in ('trial_step', 'judge') and ${ofRun(sql, sql`${runId}`)} group by kind = 'judge'`;
  return sumWithJudges(rows);
}

/**
 * Returns the cost of some of the run's trials, by ordinal. Trials that called no model are absent.
 */
export async function readSpendingOfTrials(
  sql: Sql,
  runId: string,
  ordinals: readonly number[],
): Promise<ReadonlyMap<number, RunSpending>> {
  if (ordinals.length === 0) return new Map();
  const refs = ordinals.map((ordinal) => `${runId}/${ordinal}`);
  const rows = await sql<(JudgedRow & { ref: string })[]>`
    select ref, ${judgedColumns(sql)} from ledger
    where kind in ('trial_step', 'judge') and ref = any (${refs})
    group by ref, kind = 'judge'`;
  return new Map(
    ordinals.flatMap((ordinal) => {
      const own = `${runId}/${ordinal}`;
      const spending = sumWithJudges(rows.filter(({ ref }) => ref === own));
      return spending === undefined ? [] : [[ordinal, spending] as const];
    }),
  );
}

type JudgedRow = Omit<RunSpending, 'judges'> & { readonly isJudge: boolean };

function judgedColumns(sql: Sql): Fragment {
  return sql`kind = 'judge' as is_judge, sum(credits)::float8 as credits, bool_and(priced) as priced,
    coalesce(sum(input_tokens), 0)::float8 as input_tokens,
    coalesce(sum(output_tokens), 0)::float8 as output_tokens`;
}

function sumWithJudges(rows: readonly JudgedRow[]): RunSpending | undefined {
  if (rows.length === 0) return undefined;
  const sum = (of: 'credits' | 'inputTokens' | 'outputTokens') =>
    rows.reduce((whole, row) => whole + row[of], 0);
  const judge = rows.find(({ isJudge }) => isJudge);
  return {
    credits: sum('credits'),
    priced: rows.every(({ priced }) => priced),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    ...(judge !== undefined && { judges: usedOf(judge) }),
  };
}

function usedOf({ credits, priced, inputTokens, outputTokens }: JudgedRow): RunSpending {
  return { credits, priced, inputTokens, outputTokens };
}

/**
 * For each model, uses the suite's newest run in which that model returned a token count. A trial
 * that several workers began has one ledger row per worker; the rows are added up.
 */
export async function readTokensPerTrial(
  sql: Sql,
  suiteId: string,
  kind: 'trial_step' | 'judge',
): Promise<ReadonlyMap<string, TokensPerTrial>> {
  const rows = await sql<(TokensPerTrial & { model: string })[]>`
    with ended as (
      select id from eval_runs
      where suite_id = ${suiteId} and source <> 'sdk' and status not in ('pending', 'running')
        and ${countsForSuiteIn(sql)}
      order by run_number desc limit 5),
    trials as (
      select ended.id, ledger.model, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
      from ended join ledger on kind = ${kind} and ${ofRun(sql, sql`ended.id`)}
      group by ended.id, ledger.model, ledger.ref
      having bool_and(input_tokens is not null and output_tokens is not null)
        and sum(input_tokens) + sum(output_tokens) > 0)
    select distinct on (model) model, avg(input_tokens)::float8 as input_tokens,
      avg(output_tokens)::float8 as output_tokens
    from trials group by model, id order by model, id desc`;
  return new Map(rows.map(({ model, ...tokens }) => [model, tokens]));
}

/**
 * A `ref` consists of the run id, a slash and a trial. "0" is the character after the slash, so the
 * range contains exactly this run's refs.
 */
function ofRun(sql: Sql, runId: Fragment): Fragment {
  return sql`ref >= ${runId} || '/' and ref < ${runId} || '0'`;
}
