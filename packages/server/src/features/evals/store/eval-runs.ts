/**
 * Runs of suites. The snapshot of a run contains the terms that decide it; it is written once and
 * never changed.
 */
import {
  type AssertsNothing,
  type CaseTitles,
  cutPage,
  type DecidedBy,
  type JudgeVotes,
  type Page,
  type PageRequest,
  type RunRecord,
  RunReplay,
  verdictPolicyVersion,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import type { StopReason } from '../../../platform/spending/metered-models.ts';
import { readJudgeVotes } from './judge-votes.ts';
import {
  type GoalCompletion,
  type JudgeColumns,
  judgeColumns,
  readGoalCompletion,
} from './run-judges.ts';
import { readSnapshot, type StoredSnapshot } from './run-snapshot.ts';

export interface StoredRun {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  readonly runNumber: number;
  readonly source: 'ui' | 'api' | 'sdk';
  /** Whether the service itself launched the run as a sample. */
  readonly isSample: boolean;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out';
  /** Why the service ended the run early; otherwise null. */
  readonly stopReason: StopReason | null;
  readonly result: string | null;
  readonly verdictPolicyVersion: number | null;
  readonly snapshot: StoredSnapshot;
  /** As stored; not validated. */
  readonly verdictSummary: unknown;
  /**
   * Titles of the cases in the decision. Null without a decision, and for runs decided before
   * titles were stored.
   */
  readonly caseTitles: CaseTitles | null;
  /** Null for reported runs, and for runs launched before this field existed. */
  readonly assertsNothing: AssertsNothing | null;
  readonly integrityError: string | null;
  readonly totalTrials: number | null;
  readonly passedTrials: number | null;
  readonly failedTrials: number | null;
  readonly scoreIntegrity: 'valid' | 'invalid' | null;
  readonly externalRunId: string | null;
  readonly evaluationConfigHash: string | null;
  readonly expectedIterations: number | null;
  readonly notes: string | null;
  readonly framework: string | null;
  readonly ci: Record<string, unknown> | null;
  readonly tags: readonly string[];
  readonly iterationCount: number;
  readonly revision: number;
  /**
   * The account that launched or reported the run. Null for a schedule, or if the account was
   * deleted.
   */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly runGroupId: string | null;
  /** Whether the run's deadline has passed; false without a deadline. */
  readonly isOverdue: boolean;
  /** The uploaded file that reported the run; null if there was none. */
  readonly artifactId: string | null;
  readonly goalCompletion: GoalCompletion | undefined;
  /** The votes of judges in assertions. Null without such judges, and until the run has ended. */
  readonly judgeVotes: JudgeVotes | null;
  readonly replay: RunReplay | null;
}

export async function readRun(
  sql: Sql,
  projectId: string,
  runId: string,
  lock: 'forUpdate' | 'unlocked' = 'unlocked',
): Promise<StoredRun | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${runColumns(sql)} from eval_runs
    where id = ${runId} and project_id = ${projectId} ${lock === 'forUpdate' ? sql`for update` : sql``}`;
  return row && runOfRow(row);
}

/** Several of the suites may have a run with this external id, so the oldest run is returned. */
export async function findRunByExternalId(
  sql: Sql,
  suiteIds: Fragment,
  externalRunId: string,
): Promise<StoredRun | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${runColumns(sql)} from eval_runs
    where suite_id in (${suiteIds}) and external_run_id = ${externalRunId} order by created_at, id limit 1`;
  return row && runOfRow(row);
}

export async function listSuiteRuns(
  sql: Sql,
  suiteId: string,
  page: PageRequest,
): Promise<Page<StoredRun>> {
  const rows = await sql<RunRow[]>`
    select ${runColumns(sql)} from eval_runs
    where suite_id = ${suiteId} ${page.after ? sql`and run_number < ${page.after.order}` : sql``}
    order by run_number desc limit ${page.limit + 1}`;
  return cutPage(rows.map(runOfRow), page.limit, (run) => ({ order: run.runNumber, id: run.id }));
}

/** Returns runs in no particular order. The caller must have checked that they may be read. */
export async function readRunsById(sql: Sql, ids: readonly string[]): Promise<StoredRun[]> {
  if (ids.length === 0) return [];
  const rows = await sql<RunRow[]>`
    select ${runColumns(sql)} from eval_runs where id = any (${ids as string[]})`;
  return rows.map(runOfRow);
}

/**
 * Prevents workers from taking further slices (groups of trials) of the run. The worker of the last
 * slice then ends the run.
 */
export async function markStopping(sql: Sql, runId: string, reason: StopReason): Promise<void> {
  await sql`
    update eval_runs set stop_reason = ${reason}, revision = revision + 1
    where id = ${runId} and stop_reason is null`;
}

export async function isStopping(sql: Sql, runId: string): Promise<boolean> {
  const rows = await sql`select from eval_runs where id = ${runId} and stop_reason is not null`;
  return rows.length > 0;
}

/** In launch order. */
export async function listGroupRuns(sql: Sql, groupId: string): Promise<StoredRun[]> {
  const rows = await sql<RunRow[]>`
    select ${runColumns(sql)} from eval_runs where slot_group_id = ${groupId} order by run_number`;
  return rows.map(runOfRow);
}

export async function deleteRun(sql: Sql, runId: string): Promise<void> {
  await sql`delete from eval_runs where id = ${runId}`;
}

export function asRunRecord(run: StoredRun): RunRecord {
  return {
    runId: run.id,
    status: run.status,
    stopReason: run.stopReason === null ? null : 'credits',
    ...(run.stopReason === 'maxCredits' && { maxCredits: run.snapshot.maxCredits ?? 0 }),
    result: run.result,
    verdictPolicyVersion: run.verdictPolicyVersion,
    verdictSummary: run.verdictSummary,
    integrityError: run.integrityError,
    samples: run.snapshot.samples,
    replay: run.replay,
    decidedBy: decidedByOf(run),
    legacySummary: {
      ...(run.totalTrials !== null && { total: run.totalTrials }),
      ...(run.passedTrials !== null && { passed: run.passedTrials }),
      ...(run.failedTrials !== null && { failed: run.failedTrials }),
    },
  };
}

export function decidedByOf({
  snapshot: { terms },
  verdictPolicyVersion: version,
}: Pick<StoredRun, 'snapshot' | 'verdictPolicyVersion'>): DecidedBy | undefined {
  if (terms === undefined) return undefined;
  const { skipped } = terms;
  const share =
    'minimumPassRate' in terms
      ? { minimumPassRate: terms.minimumPassRate }
      : { passThreshold: terms.passThreshold };
  const by = {
    ...(version === verdictPolicyVersion ? {} : share),
    ...(skipped !== undefined && { skipped }),
  };
  return Object.keys(by).length === 0 ? undefined : by;
}

type DocumentColumn =
  | 'snapshot'
  | 'verdictSummary'
  | 'caseTitles'
  | 'assertsNothing'
  | 'ci'
  | 'goalCompletion'
  | 'judgeVotes'
  | 'replay';
type RunRow = Omit<StoredRun, DocumentColumn> &
  JudgeColumns & {
    readonly snapshot: string;
    readonly verdictSummary: string | null;
    readonly caseTitles: string | null;
    readonly assertsNothing: string | null;
    readonly ci: string | null;
    readonly judgeVotes: string | null;
    readonly replay: string | null;
  };

function runOfRow(row: RunRow): StoredRun {
  return {
    ...row,
    snapshot: readSnapshot(row.snapshot),
    verdictSummary: readDocument(row.verdictSummary) ?? null,
    caseTitles: readTitles(row.caseTitles),
    assertsNothing: readAssertsNothing(row.assertsNothing),
    ci: readRecord(row.ci) ?? null,
    goalCompletion: readGoalCompletion(row),
    judgeVotes: readJudgeVotes(row.judgeVotes),
    replay: RunReplay.safeParse(readRecord(row.replay)).data ?? null,
  };
}

function readAssertsNothing(text: string | null): AssertsNothing | null {
  const stored = readRecord(text);
  if (typeof stored?.['caseVariants'] !== 'number' || !Array.isArray(stored['titles'])) return null;
  return stored as unknown as AssertsNothing;
}

function readTitles(text: string | null): CaseTitles | null {
  const titles = readRecord(text);
  return titles !== undefined && Object.values(titles).every((title) => typeof title === 'string')
    ? (titles as CaseTitles)
    : null;
}

function runColumns(sql: Sql): Fragment {
  return sql`id, organization_id, project_id, suite_id, run_number, source, is_sample, status, stop_reason, result,
    verdict_policy_version, snapshot, verdict_summary, case_titles, asserts_nothing, integrity_error, total_trials, passed_trials,
    failed_trials, score_integrity, external_run_id, evaluation_config_hash, expected_iterations,
    notes, framework, ci, tags, iteration_count, revision, created_by, created_at, completed_at, run_group_id,
    coalesce(deadline_at < clock_timestamp(), false) as is_overdue, artifact_id, judge_votes, replay, ${judgeColumns(sql)}`;
}
