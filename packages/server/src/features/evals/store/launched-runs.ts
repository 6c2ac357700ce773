/**
 * Writes launched runs with their pending trials. Launches of one organization run one after
 * another, so that slot counts are exact and an idempotency key is used only once.
 */
import type { AssertsNothing, RunReplay, RunSnapshot } from '@proofmark/domain';
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { hashOfConfig, nameConfigs } from './evaluation-configs.ts';
import { readSnapshot, type StoredSnapshot } from './run-snapshot.ts';

/** Blocks other launches of the organization until the transaction ends. */
export async function lockLaunches(sql: Sql, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`launch:${organizationId}`}, 0))`;
}

export interface KeyedRun {
  readonly id: string;
  readonly suiteId: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out';
  readonly snapshot: StoredSnapshot;
  readonly requestHash: string;
  readonly runGroupId: string | null;
}

export async function findRunByKey(
  sql: Sql,
  organizationId: string,
  key: string,
): Promise<KeyedRun | undefined> {
  const [row] = await sql<(Omit<KeyedRun, 'snapshot'> & { snapshot: string })[]>`
    select id, suite_id, status, snapshot, request_hash, run_group_id from eval_runs
    where organization_id = ${organizationId} and idempotency_key = ${key}`;
  return row && { ...row, snapshot: readSnapshot(row.snapshot) };
}

/**
 * Counts the slots that the organization uses: one for each open run, each open mutation of a
 * suite, and each group. A group uses one slot for all its runs, also while they are being
 * launched. The caller's own group is not counted.
 */
export async function countHeldSlots(
  sql: Sql,
  organizationId: string,
  askingGroupId: string | undefined,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select coalesce(slot_group_id, id) as holder from eval_runs
      where organization_id = ${organizationId} and status in ('pending', 'running') and source <> 'sdk'
      union
      select id from eval_run_groups
      where organization_id = ${organizationId} and launching_until > clock_timestamp()
      union
      select id from suite_mutations
      where organization_id = ${organizationId} and status in ('pending', 'running')) held
    where holder is distinct from ${askingGroupId ?? null}`;
  return row?.count ?? 0;
}

export interface LaunchedRun {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  readonly source: 'ui' | 'api';
  readonly isSample: boolean;
  readonly verdictPolicyVersion: number | null;
  readonly snapshot: RunSnapshot;
  readonly trialCount: number;
  readonly notes: string | null;
  readonly idempotencyKey: string | null;
  readonly requestHash: string | null;
  readonly runGroupId: string | null;
  /** The group whose slot the run uses; null for a run with its own slot. */
  readonly slotGroupId: string | null;
  readonly timeoutMs: number;
  readonly createdBy: string | null;
  readonly assertsNothing: AssertsNothing;
  readonly replay: RunReplay | null;
}

/**
 * Inserts the run with the next run number of its suite. Returns false if the suite no longer
 * exists.
 */
export async function insertLaunchedRun(sql: Sql, run: LaunchedRun): Promise<boolean> {
  const inserted = await sql`
    with suite as (
      update eval_suites set run_count = run_count + 1, updated_at = now()
      where id = ${run.suiteId} and project_id = ${run.projectId} returning run_count
    )
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, is_sample, status,
      verdict_policy_version, snapshot, expected_iterations, notes, idempotency_key,
      request_hash, run_group_id, slot_group_id, deadline_at, created_by, asserts_nothing, replay)
    select ${run.id}, ${run.organizationId}, ${run.projectId}, ${run.suiteId}, suite.run_count, ${run.source}, ${run.isSample},
      'pending', ${run.verdictPolicyVersion}, ${JSON.stringify(run.snapshot)}, ${run.trialCount},
      ${run.notes}, ${run.idempotencyKey}, ${run.requestHash}, ${run.runGroupId}, ${run.slotGroupId},
      now() + make_interval(secs => ${run.timeoutMs / 1000}), ${run.createdBy},
      ${JSON.stringify(run.assertsNothing)}, ${run.replay && JSON.stringify(run.replay)}
    from suite`;
  return inserted.count > 0;
}

export interface PendingTrial {
  readonly ordinal: number;
  readonly id: string;
  readonly caseIndex: number;
  readonly trialNumber: number;
  /** Undefined if no model is called. */
  readonly model: string | undefined;
  readonly provider: string | undefined;
}

export interface CaseOfTrials {
  readonly caseId: string;
  readonly declaredId: string | undefined;
  readonly title: string;
  readonly expectedToolCalls: readonly object[];
  readonly evaluationConfig: object;
}

const rowsPerStatement = 2000;

const columnsOfCases = columnsOfRows<CaseOfTrials>([
  { name: 'case_index', type: 'integer', of: (_, index) => index },
  { name: 'case_id', type: 'text', of: (one) => one.caseId },
  { name: 'declared_case_id', type: 'text', of: (one) => one.declaredId },
  { name: 'title', type: 'text', of: (one) => one.title },
  { name: 'expected_tool_calls', type: 'text', of: (one) => one.expectedToolCalls },
  { name: 'config_hash', type: 'text', of: (one) => hashOfConfig(one.evaluationConfig) },
]);

const columnsOfPending = columnsOfRows<PendingTrial>([
  { name: 'case_index', type: 'integer', of: (trial) => trial.caseIndex },
  { name: 'ordinal', type: 'integer', of: (trial) => trial.ordinal },
  { name: 'id', type: 'text', of: (trial) => trial.id },
  { name: 'iteration_number', type: 'integer', of: (trial) => trial.trialNumber },
  { name: 'model', type: 'text', of: (trial) => trial.model },
  { name: 'provider', type: 'text', of: (trial) => trial.provider },
]);

/** The data that all trials of a case share is sent only once per statement. */
export async function insertPendingTrials(
  sql: Sql,
  run: { readonly id: string; readonly organizationId: string },
  cases: readonly CaseOfTrials[],
  trials: readonly PendingTrial[],
): Promise<void> {
  const common = columnsOfCases.of(cases);
  const configs = cases.map(({ evaluationConfig }) => evaluationConfig);
  const written: Promise<unknown>[] = [
    nameConfigs(sql, run, new Map(configs.map((config) => [hashOfConfig(config), config]))),
  ];
  for (let start = 0; start < trials.length; start += rowsPerStatement) {
    const some = columnsOfPending.of(trials.slice(start, start + rowsPerStatement));
    written.push(sql`
      with cases as materialized (select * from ${common} told)
      insert into eval_iterations (run_id, organization_id, ordinal, id, case_id, declared_case_id, title,
        iteration_number, numbered, status, evaluator_error, model, provider, expected_tool_calls,
        actual_tool_calls, config_hash)
      select ${run.id}, ${run.organizationId}, ordinal, id, case_id, declared_case_id, title,
        iteration_number, true, 'pending', false, model, provider, expected_tool_calls, '[]', config_hash
      from ${some} trials join cases using (case_index)`);
  }
  await Promise.all(written);
}
