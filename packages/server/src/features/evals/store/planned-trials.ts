import {
  carriedOutPlans,
  type EndedOrOpenTrial,
  type PlacedPlan,
  type RunTrialPlans,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { StoredRun } from './eval-runs.ts';
import { findRunPlan } from './run-plans.ts';

export async function readTrialsOfPlan(
  sql: Sql,
  runId: string,
  { firstOrdinal, lastOrdinal }: Pick<PlacedPlan, 'firstOrdinal' | 'lastOrdinal'>,
): Promise<EndedOrOpenTrial[]> {
  return sql`
    select ordinal, status, result, evaluator_error from eval_iterations
    where run_id = ${runId} and ordinal between ${firstOrdinal} and ${lastOrdinal} order by ordinal`;
}

/** Returns null for a run without trial plans. */
export async function readRunTrialPlans(
  sql: Sql,
  run: Pick<StoredRun, 'id' | 'snapshot'>,
): Promise<RunTrialPlans | null> {
  if (run.snapshot.planned === undefined) return null;
  const plan = await findRunPlan(sql, run.id);
  if (plan === undefined) return null;
  const all = { firstOrdinal: 1, lastOrdinal: 2 ** 31 - 1 };
  const trials = await readTrialsOfPlan(sql, run.id, all);
  return carriedOutPlans(plan, trials, sha256Hex);
}

export async function expectMoreTrials(sql: Sql, runId: string, more: number): Promise<void> {
  await sql`
    update eval_runs set expected_iterations = expected_iterations + ${more} where id = ${runId}`;
}
