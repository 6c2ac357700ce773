/**
 * Writes runs: at the start with the snapshot, which never changes, and at the end with the
 * decision.
 */

import type { AlikeTrials, AssertsNothing, RunEnd, RunSnapshot } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import type { StopReason } from '../../../platform/spending/metered-models.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';
import type { StoredRun } from './eval-runs.ts';
import { type ContentHashes, keepGradedResults } from './histories.ts';

export interface NewRun {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  readonly runNumber: number;
  readonly verdictPolicyVersion: number | null;
  readonly snapshot: RunSnapshot;
  readonly externalRunId: string | null;
  readonly evaluationConfigHash: string | null;
  readonly expectedIterations: number | null;
  readonly notes: string | null;
  readonly framework: string | null;
  readonly ci: Readonly<Record<string, unknown>> | null;
  readonly tags: readonly string[];
  readonly createdBy: string;
  /** Milliseconds until the next report must arrive. */
  readonly timeoutMs: number;
}

/** The caller must hold the suite's lock, so that no other run takes the same number. */
export async function insertReportedRun(sql: Sql, run: NewRun): Promise<void> {
  await sql`
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status,
      verdict_policy_version, snapshot, external_run_id, evaluation_config_hash, expected_iterations,
      notes, framework, ci, tags, created_by, deadline_at)
    values (${run.id}, ${run.organizationId}, ${run.projectId}, ${run.suiteId}, ${run.runNumber}, 'sdk',
      'running', ${run.verdictPolicyVersion}, ${JSON.stringify(run.snapshot)}, ${run.externalRunId},
      ${run.evaluationConfigHash}, ${run.expectedIterations}, ${run.notes}, ${run.framework},
      ${run.ci && JSON.stringify(run.ci)}, ${run.tags as string[]}, ${run.createdBy},
      now() + make_interval(secs => ${run.timeoutMs / 1000}))`;
  await sql`
    update eval_suites set run_count = ${run.runNumber}, updated_at = now() where id = ${run.suiteId}`;
}

/** Counts the run's trials by the fields that the decision uses. Equal trials share one entry. */
export async function countAlikeTrials(sql: Sql, runId: string): Promise<AlikeTrials[]> {
  const rows = await sql<AlikeTrials[]>`
    select coalesce(case_key, 'gone:' || trials.case_id) as case_key, declared_id,
      coalesce(trials.title, eval_cases.title) as title, model, provider, status, result, evaluator_error, count
    from (
      select case_id, min(title collate "C") as title, model, provider, status, result, evaluator_error,
        count(*)::integer as count
      from eval_iterations where run_id = ${runId}
      group by case_id, model, provider, status, result, evaluator_error
    ) trials left join eval_cases on eval_cases.id = trials.case_id`;
  return [...rows];
}

/**
 * Numbers the unnumbered trials within their case variant, sorted by id, so that batches in any
 * order give the same numbers. Shorter ids come first, so that ids with numbers sort like numbers.
 */
export async function numberTrials(sql: Sql, runId: string): Promise<void> {
  // The planner has no statistics about rows that were just written. It would expect few rows and
  // choose a nested loop that reads all of them once per row.
  await sql`select set_config('enable_nestloop', 'off', true)`;
  await sql`
    update eval_iterations set iteration_number = place
    from (
      select ordinal as at,
        row_number() over (
          partition by case_id, model, provider
          order by external_id is null, length(external_id), external_id collate "C", ordinal) as place
      from eval_iterations where run_id = ${runId}
    ) counted
    where run_id = ${runId} and ordinal = at and not numbered and iteration_number <> place`;
  await sql`select set_config('enable_nestloop', 'on', true)`;
}

export async function scoreIntegrityOf(
  sql: Sql,
  runId: string,
): Promise<'valid' | 'invalid' | null> {
  const [row] = await sql<{ worst: 'valid' | 'invalid' | null }[]>`
    select min(score_integrity) as worst from eval_iterations where run_id = ${runId}`;
  return row?.worst ?? null;
}

export async function finishRun(
  sql: Sql,
  run: Pick<StoredRun, 'id' | 'suiteId'>,
  end: RunEnd & {
    readonly scoreIntegrity: 'valid' | 'invalid' | null;
    readonly status?: 'completed' | 'cancelled' | 'failed';
    readonly stopReason?: StopReason | null;
    /** If absent, the stored value is kept. */
    readonly assertsNothing?: AssertsNothing | undefined;
    /** Present only for a launched run. */
    readonly contents?: ContentHashes | undefined;
  },
): Promise<void> {
  const { counts, decision, caseTitles, assertsNothing } = end;
  await sql`
    update eval_runs set status = ${end.status ?? 'completed'}, stop_reason = ${end.stopReason ?? null}, result = ${end.result},
      verdict_summary = ${decision === undefined ? null : JSON.stringify(decision)},
      case_titles = ${caseTitles === undefined ? null : JSON.stringify(caseTitles)},
      asserts_nothing = coalesce(${assertsNothing === undefined ? null : JSON.stringify(assertsNothing)}, asserts_nothing),
      integrity_error = ${end.integrityError ?? null}, score_integrity = ${end.scoreIntegrity},
      iteration_count = ${counts.total}, total_trials = ${counts.total}, passed_trials = ${counts.passed}, failed_trials = ${counts.failed},
      verdict_policy_version = case when ${end.isLegacy === true} then null else verdict_policy_version end,
      completed_at = now(), revision = revision + 1
    where id = ${run.id}`;
  const tells = sql`exists (select from eval_runs where id = ${run.id} and ${countsForSuiteIn(sql)})`;
  await sql`
    update eval_suites set updated_at = now(),
      passed_trials = passed_trials + case when ${tells} then ${counts.passed} else 0 end,
      failed_trials = failed_trials + case when ${tells} then ${counts.failed} else 0 end
    where id = ${run.suiteId}`;
  await keepGradedResults(sql, run.id, end.contents ?? new Map());
}
