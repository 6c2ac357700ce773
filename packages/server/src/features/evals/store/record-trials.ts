/**
 * Writes trials of launched runs. Each trial has a row from the launch on. The worker that leases
 * the trial's slice (a range of trials) marks the trial as begun, and later writes it once and
 * completely.
 */
import type {
  Divergence,
  LaunchedTrials,
  RefusedCall,
  ReplayState,
  TrialWarning,
} from '@proofmark/domain';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import type { TrialWidgets } from '../../../conversation/trial-widgets.ts';
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Sql } from '../../../platform/database/database.ts';
import {
  type PaidTrial,
  paidFor,
  payTrials,
  type TrialSpending,
} from '../../../platform/spending/store/paid-trials.ts';
import {
  type HeldWork,
  holdWork,
  type WorkRange,
} from '../../../platform/work/store/leased-work.ts';
import { namesIn, rememberListedTools } from './listed-tools.ts';
import { oweTeardowns } from './owed-teardowns.ts';
import { type RecordingToWrite, writeRecordings } from './recordings.ts';
import type { RunLocation } from './run-location.ts';
import { trialsWork } from './run-work.ts';
import { writeWidgets } from './stored-widgets.ts';
import { holdSurface } from './tool-surfaces.ts';

/** Also used for a trial that could not be run. */
export interface TrialToWrite
  extends Pick<TrialRecord, 'evaluatorError' | 'tokensUsed' | 'error' | 'toolSurface'> {
  readonly ordinal: number;
  readonly status: string;
  readonly result: string | null;
  readonly startedAtMs: number | null;
  readonly durationMs: number | null;
  readonly usage: object | null;
  readonly actualToolCalls: object;
  /** Warnings of clean-up calls are written separately when those calls end. */
  readonly warnings?: readonly TrialWarning[];
  /**
   * Scores for the evaluation configuration of the row. A row without a configuration stores no
   * scores.
   */
  readonly scores: object | null;
  readonly chain: object;
  readonly trace: object | null;
  readonly details: object;
  /** Absent if no widget was opened. */
  readonly widgets?: TrialWidgets | null;
  /** The cost of the trial's model and judges; empty if none was called. */
  readonly spent: readonly TrialSpending[];
  /** Absent if the trial could not be recorded. */
  readonly recording?: RecordingToWrite;
  /** Present only for a replayed trial. */
  readonly replayState?: ReplayState;
  readonly divergence?: Divergence;
  readonly refusedCalls?: readonly RefusedCall[];
}

/**
 * An update from a worker that holds a slice: an ended trial, a begun one, both, or pending
 * clean-up calls after a trial.
 */
export interface TrialUpdate {
  readonly held: HeldWork;
  readonly ended?: TrialToWrite;
  readonly begins?: number;
  /** The ordinal of a trial whose actions need clean-up calls. */
  readonly owesAfter?: number;
}

/**
 * Locks the run before its trials are written, so that ending a run and writing its trials happen
 * one after another. Returns whether the run is open.
 */
export async function lockOpenRun(sql: Sql, runId: string): Promise<boolean> {
  const rows = await sql`
    update eval_runs set revision = revision + 1 where id = ${runId} and status in ('pending', 'running')`;
  return rows.count > 0;
}

/**
 * Returns for each update whether it was accepted. An update without the lease, or of an ended
 * trial, changes nothing.
 */
export async function writeTrialUpdates(
  sql: Sql,
  place: RunLocation,
  updates: readonly TrialUpdate[],
): Promise<boolean[]> {
  const { runId, organizationId } = place;
  // Sends both statements at once. The second one runs after the first has locked the run, so it
  // reads the current state.
  const [isOpen, standing] = await Promise.all([
    lockOpenRun(sql, runId),
    holdWork(
      sql,
      { kind: trialsWork, groupId: runId },
      updates.map(({ held, ended }) => ({ held, madeProgress: ended !== undefined })),
    ),
  ]);
  if (!isOpen) return updates.map(() => false);
  const taken = updates.filter((_, index) => standing[index]);
  const ended = taken.flatMap((one) => one.ended ?? []);
  const begun = taken.flatMap((one) => one.begins ?? []);
  const owed = taken.flatMap(({ held, owesAfter }) =>
    owesAfter === undefined ? [] : [{ ordinal: owesAfter, lease: held.lease }],
  );
  const written: Promise<unknown>[] = [];
  // Spending is written last, because all writers of the organization lock the same row of daily
  // credits.
  let paid: readonly PaidTrial[] = [];
  if (ended.length > 0) {
    const open = await writeEnded(sql, runId, ended);
    const traced = ended.filter(({ ordinal }) => open.has(ordinal));
    paid = taken.flatMap(({ held, ended }) =>
      ended !== undefined && open.has(ended.ordinal) ? paidFor(runId, ended, held) : [],
    );
    written.push(writeTraces(sql, runId, organizationId, traced));
    written.push(...writeSurfaces(sql, runId, organizationId, traced));
    written.push(...writeWidgets(sql, runId, organizationId, traced));
    written.push(writeRecordings(sql, runId, organizationId, traced));
    written.push(sql`
      update eval_runs set iteration_count = iteration_count + ${traced.length} where id = ${runId}`);
  }
  if (begun.length > 0) {
    written.push(sql`
      update eval_iterations set status = 'running',
        started_at = coalesce(started_at, clock_timestamp())
      where run_id = ${runId} and ordinal = any (${begun})
        and status in ('pending', 'running')`);
  }
  if (owed.length > 0) written.push(oweTeardowns(sql, place, owed));
  written.push(payTrials(sql, place, paid));
  await Promise.all(written);
  return standing;
}

const columnsOfEnded = columnsOfRows<TrialToWrite>([
  { name: 'ordinal', type: 'integer', of: (trial) => trial.ordinal },
  { name: 'status', type: 'text', of: (trial) => trial.status },
  { name: 'result', type: 'text', of: (trial) => trial.result ?? undefined },
  { name: 'evaluator_error', type: 'boolean', of: (trial) => trial.evaluatorError },
  { name: 'started_at', type: 'moment', of: (trial) => trial.startedAtMs ?? undefined },
  { name: 'duration_ms', type: 'number', of: (trial) => trial.durationMs ?? undefined },
  { name: 'tokens_used', type: 'number', of: (trial) => trial.tokensUsed ?? undefined },
  { name: 'usage', type: 'text', of: (trial) => trial.usage ?? undefined },
  { name: 'actual_tool_calls', type: 'text', of: (trial) => trial.actualToolCalls },
  // An empty error counts as no error.
  { name: 'error', type: 'text', of: (trial) => trial.error || undefined },
  { name: 'warnings', type: 'text', of: ({ warnings = [] }) => warnings.at(0) && warnings },
  { name: 'chain', type: 'text', of: (trial) => trial.chain },
  { name: 'tool_surface_hash', type: 'text', of: (trial) => trial.toolSurface?.hash },
  { name: 'scores', type: 'text', of: (trial) => trial.scores ?? undefined },
  { name: 'is_traced', type: 'boolean', of: (trial) => trial.trace !== null },
  { name: 'recording_state', type: 'text', of: (trial) => trial.recording?.state },
  { name: 'recording_bytes', type: 'integer', of: (trial) => trial.recording?.bytes },
  { name: 'replay_state', type: 'text', of: (trial) => trial.replayState },
  { name: 'divergence', type: 'text', of: (trial) => trial.divergence },
  { name: 'recording_hash', type: 'text', of: (trial) => trial.recording?.hash ?? undefined },
  { name: 'refused_calls', type: 'text', of: refusedIn },
]);

function refusedIn({ refusedCalls = [] }: TrialToWrite): readonly RefusedCall[] | undefined {
  return refusedCalls.length === 0 ? undefined : refusedCalls;
}

async function writeEnded(
  sql: Sql,
  runId: string,
  trials: readonly TrialToWrite[],
): Promise<ReadonlySet<number>> {
  // The ordinals are also passed as a separate list, because the planner would otherwise read all
  // trials of the run to find these few.
  const ordinals = trials.map(({ ordinal }) => ordinal);
  const rows = await sql<{ ordinal: number }[]>`
    update eval_iterations trial set status = ended.status, result = ended.result,
      evaluator_error = ended.evaluator_error, started_at = coalesce(ended.started_at, trial.started_at),
      duration_ms = ended.duration_ms, tokens_used = ended.tokens_used, usage = ended.usage,
      actual_tool_calls = ended.actual_tool_calls, error = ended.error, chain = ended.chain,
      warnings = case when trial.warnings is null or ended.warnings is null then coalesce(trial.warnings, ended.warnings)
        else left(trial.warnings, -1) || ',' || substr(ended.warnings, 2) end,
      tool_surface_hash = ended.tool_surface_hash, recording_state = ended.recording_state,
      recording_bytes = ended.recording_bytes, recording_hash = ended.recording_hash,
      replay_state = ended.replay_state, divergence = ended.divergence, refused_calls = ended.refused_calls,
      ended_in_project = case when ended.is_traced then (select project_id from eval_runs where id = ${runId}) end,
      ended_at = case when ended.is_traced then clock_timestamp() end,
      scores = case when config_hash is not null then ended.scores end,
      score_integrity = case when config_hash is not null and ended.scores is not null then 'valid' end
    from ${columnsOfEnded.of(trials)} ended
    where run_id = ${runId} and trial.ordinal = ended.ordinal and trial.status in ('pending', 'running')
      and trial.ordinal = any (${ordinals})
    returning trial.ordinal`;
  return new Set(rows.map(({ ordinal }) => ordinal));
}

const columnsOfTraces = columnsOfRows<TrialToWrite>([
  { name: 'ordinal', type: 'integer', of: (trial) => trial.ordinal },
  { name: 'trace', type: 'text', of: (trial) => trial.trace ?? undefined },
  { name: 'details', type: 'text', of: (trial) => trial.details },
]);

async function writeTraces(
  sql: Sql,
  runId: string,
  organizationId: string,
  trials: readonly TrialToWrite[],
): Promise<void> {
  if (trials.length === 0) return;
  const { names } = columnsOfTraces;
  await sql`
    insert into eval_traces (run_id, organization_id, ${names})
    select ${runId}, ${organizationId}, ${names} from ${columnsOfTraces.of(trials)} traces`;
}

/**
 * Inserts the tool surfaces, or marks existing ones as just used, so that housekeeping does not
 * delete them. Hashes are processed in sorted order, because two runs could otherwise deadlock.
 */
function writeSurfaces(
  sql: Sql,
  runId: string,
  organizationId: string,
  trials: readonly TrialToWrite[],
): Promise<unknown>[] {
  const seen = new Map<string, string>();
  for (const { toolSurface } of trials) {
    if (toolSurface !== null) seen.set(toolSurface.hash, toolSurface.text);
  }
  const inOrder = [...seen].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(async ([hash, surface]) => {
    const named = await sql`
      select from run_tool_surfaces where run_id = ${runId} and hash = ${hash}`;
    if (named.count > 0) return;
    await holdSurface(sql, organizationId, { hash, text: surface });
    await sql`
      insert into run_tool_surfaces (organization_id, run_id, hash)
      values (${organizationId}, ${runId}, ${hash})`;
    await rememberListedTools(sql, namesIn(surface), true);
  });
}

/** Marks the run as running. Returns the slice's trials that have not ended, in order. */
export async function beginSlice(
  sql: Sql,
  { groupId: runId, firstItem, lastItem }: WorkRange & { readonly groupId: string },
): Promise<number[]> {
  const [, rows] = await Promise.all([
    sql`
      update eval_runs set status = 'running', started_at = now(), revision = revision + 1
      where id = ${runId} and status = 'pending'`,
    sql<{ ordinal: number }[]>`
      select ordinal from eval_iterations
      where run_id = ${runId} and ordinal between ${firstItem} and ${lastItem} and status in ('pending', 'running')
      order by ordinal`,
  ]);
  return rows.map(({ ordinal }) => ordinal);
}

/** Counts the run's trials by the fields that the decision uses; equal trials share one entry. */
export async function countLaunchedTrials(sql: Sql, runId: string): Promise<LaunchedTrials[]> {
  return sql`
    select case_id, model, provider, status, result, evaluator_error, count(*)::integer as count
    from eval_iterations where run_id = ${runId}
    group by case_id, model, provider, status, result, evaluator_error`;
}

export async function closeOpenTrials(
  sql: Sql,
  runId: string,
  end: {
    readonly status: 'cancelled' | 'timed_out';
    readonly error: string;
    readonly chains: ReadonlyMap<string, object>;
  },
): Promise<void> {
  const chains = JSON.stringify(
    [...end.chains].map(([caseId, chain]) => ({ case_id: caseId, chain: JSON.stringify(chain) })),
  );
  await sql`
    update eval_iterations set status = ${end.status}, error = ${end.error}, chain = chains.chain
    from json_to_recordset(${chains}::text::json) as chains (case_id text, chain text)
    where run_id = ${runId} and eval_iterations.case_id = chains.case_id and status in ('pending', 'running')`;
  // The remaining trials get no chain, because no readable plan contains their case.
  await sql`
    update eval_iterations set status = ${end.status}, error = ${end.error}
    where run_id = ${runId} and status in ('pending', 'running')`;
}
