import {
  type CaseInRun,
  caseOfRow,
  type GradedInRun,
  terminalRunStatuses,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

export interface VariantOfTrials {
  readonly caseId: string | null;
  readonly model: string | null;
  readonly provider: string | null;
}

export interface VariantCounts extends VariantOfTrials, GradedInRun {
  /** The current key; null if the case was deleted or the trial had no authored case. */
  readonly caseKey: string | null;
  readonly declaredId: string | null;
  readonly title: string | null;
  readonly trials: number;
}

/** In the order of the run. */
export async function countGradedTrials(sql: Sql, runId: string): Promise<VariantCounts[]> {
  return sql<VariantCounts[]>`
    select counted.case_id, model, provider, case_key, eval_cases.declared_id,
      coalesce(counted.title, eval_cases.title) as title, trials, passed, failed
    from (
      select case_id, model, provider, min(ordinal) as first, min(title) as title, count(*)::integer as trials,
        ${gradedCounts(sql)}
      from eval_iterations where run_id = ${runId} group by case_id, model, provider
    ) counted left join eval_cases on eval_cases.id = counted.case_id
    order by first`;
}

/** Returns at most two hashes: two are enough to show that trials used different tools. */
export async function listSurfaceHashes(sql: Sql, runId: string): Promise<string[]> {
  const rows = await sql<{ hash: string }[]>`
    select hash from run_tool_surfaces where run_id = ${runId} order by hash limit 2`;
  return rows.map(({ hash }) => hash);
}

export interface VariantInRun extends VariantOfTrials, GradedInRun {
  readonly runId: string;
}

/**
 * How many earlier runs are searched. The trials read from them are limited too, because a single
 * run may have 10,000.
 */
const mostRunsLookedAt = 1000;
const mostTrialsRead = 20_000;

/**
 * Lists graded trials with this tool surface, from the newest runs up to this run, oldest run
 * first. Runs are read whole: the list ends before the run that would exceed the limit of trials.
 * Runs from before an edit of a case are omitted for this case.
 */
export async function listGradedBefore(
  sql: Sql,
  run: { readonly suiteId: string; readonly runNumber: number },
  hash: string,
  mostRuns: number,
): Promise<VariantInRun[]> {
  const runs = await sql<{ id: string }[]>`
    select id from (
      select id, run_number, sum(iteration_count) over (order by run_number desc) as trials from (
        select id, run_number, iteration_count from eval_runs
        where suite_id = ${run.suiteId} and run_number <= ${run.runNumber}
          and run_number > ${run.runNumber - mostRunsLookedAt}
          and (${countsForSuiteIn(sql)} or run_number = ${run.runNumber})
          and exists (select from run_tool_surfaces where run_id = eval_runs.id and hash = ${hash})
        order by run_number desc limit ${mostRuns}
      ) newest
    ) summed
    where trials <= ${mostTrialsRead} or run_number = ${run.runNumber}
    order by run_number`;
  const ids = runs.map(({ id }) => id);
  const rows = await sql<VariantInRun[]>`
    select run_id, case_id, model, provider, ${gradedCounts(sql)}
    from eval_iterations where run_id = any (${ids}) and tool_surface_hash = ${hash}
    group by run_id, case_id, model, provider`;
  const edits = await sql<{ runId: string; caseId: string }[]>`
    select older.id as run_id, edited.id as case_id
    from eval_runs last, eval_runs older, eval_cases edited
    where last.id = ${ids.at(-1) ?? null} and older.id = any (${ids}) and edited.suite_id = ${run.suiteId}
      and edited.updated_at > older.created_at and edited.updated_at <= last.created_at`;
  const outdated = new Set(edits.map(({ runId, caseId }) => `${runId} ${caseId}`));
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ runId }: VariantInRun) => places.get(runId) ?? 0;
  return rows
    .filter(({ runId, caseId }) => !outdated.has(`${runId} ${caseOfRow(caseId ?? '')}`))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

export interface EndedRun extends GradedInRun {
  readonly id: string;
  readonly runNumber: number;
  readonly createdAt: Date;
  /**
   * Whether the run's trials are read: together with those of all newer runs, they stay within the
   * limit of trials.
   */
  readonly isRead: boolean;
}

/** Lists the newest runs of a suite with a passed or failed trial, oldest first. */
export async function listEndedRuns(sql: Sql, suiteId: string, most: number): Promise<EndedRun[]> {
  return sql<EndedRun[]>`
    select id, run_number, created_at, passed_trials as passed, failed_trials as failed,
      (sum(iteration_count) over (order by run_number desc) <= ${mostTrialsRead}) as is_read
    from (
      select id, run_number, created_at, passed_trials, failed_trials, iteration_count
      from eval_runs
      where suite_id = ${suiteId} and status in ${sql(terminalRunStatuses)}
        and passed_trials + failed_trials > 0 and ${countsForSuiteIn(sql)}
      order by run_number desc limit ${most}
    ) newest order by run_number`;
}

/** Counts the trials of every case in each of the runs, summed over the case's models. */
export async function countCasesInRuns(
  sql: Sql,
  runIds: readonly string[],
): Promise<(CaseInRun & { readonly caseId: string | null })[]> {
  if (runIds.length === 0) return [];
  return sql<(CaseInRun & { readonly caseId: string | null })[]>`
    select run_id, case_id, passed, failed, (trials - passed - failed) as not_graded from (
      select run_id, case_id, count(*)::integer as trials, ${gradedCounts(sql)}
      from eval_iterations where run_id = any (${runIds as string[]}) group by run_id, case_id
    ) counted`;
}

/** Graded trials have a result, and their grading did not fail. */
function gradedCounts(sql: Sql): Fragment {
  const graded = sql`status = 'completed' and not evaluator_error`;
  return sql`
    count(*) filter (where ${graded} and result = 'passed')::integer as passed,
    count(*) filter (where ${graded} and result = 'failed')::integer as failed`;
}
