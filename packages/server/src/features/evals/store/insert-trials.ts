/**
 * Writes trials. The caller must hold the lock of the run's row. Ordinals then have no gaps and
 * follow the order of commits, so a reader that pages by ordinal during writes misses none.
 */
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { nameConfigs } from './evaluation-configs.ts';

/**
 * A row to insert. Unknown fields are omitted, because this is shorter than sending null. The last
 * four fields are filled in after the run is locked.
 */
export interface NewTrialRow {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly declaredCaseId: string | undefined;
  readonly title: string;
  readonly status: string;
  readonly result: string | undefined;
  readonly evaluatorError: true | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly startedAtMs: number | undefined;
  readonly durationMs: number | undefined;
  readonly tokensUsed: number | undefined;
  readonly usage: object | undefined;
  readonly expectedToolCalls: object;
  readonly actualToolCalls: object;
  readonly error: string | undefined;
  readonly chain: object;
  readonly scores: object | undefined;
  readonly evaluationConfig: object | undefined;
  /** The hash of the trial's evaluation configuration; undefined if it has none. */
  readonly configHash: string | undefined;
  readonly scoreIntegrity: 'valid' | 'invalid' | undefined;
  readonly hasTrace: true | undefined;
  readonly hasMessages: true | undefined;
  /**
   * Set only if the trial's trace contains messages. The trial then appears in the project's list
   * of sessions.
   */
  projectId: string | undefined;
  caseId: string | undefined;
  trialNumber: number | undefined;
  ordinal: number;
}

export interface NewTrace {
  readonly trace: object | undefined;
  readonly details: object;
  ordinal: number;
}

export interface NewTrial {
  readonly row: NewTrialRow;
  readonly trace: NewTrace | undefined;
}

export interface RunOfTrials {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly iterationCount: number;
}

const rowsPerStatement = 500;

export async function recordedExternalIds(
  sql: Sql,
  runId: string,
  externalIds: readonly string[],
): Promise<Set<string>> {
  if (externalIds.length === 0) return new Set();
  const rows = await sql<{ externalId: string }[]>`
    select external_id from eval_iterations
    where run_id = ${runId} and external_id = any (${externalIds as string[]})`;
  return new Set(rows.map((row) => row.externalId));
}

export async function insertTrials(
  sql: Sql,
  run: RunOfTrials,
  trials: readonly NewTrial[],
  /** Milliseconds until the next report must arrive. */
  timeoutMs: number,
): Promise<void> {
  const configs = new Map<string, object>();
  for (const [index, { row, trace }] of trials.entries()) {
    row.ordinal = run.iterationCount + 1 + index;
    if (row.hasMessages) row.projectId = run.projectId;
    if (trace !== undefined) trace.ordinal = row.ordinal;
    const { configHash, evaluationConfig } = row;
    if (configHash !== undefined && evaluationConfig !== undefined) {
      configs.set(configHash, evaluationConfig);
    }
  }
  const written: Promise<unknown>[] = [nameConfigs(sql, run, configs)];
  for (let start = 0; start < trials.length; start += rowsPerStatement) {
    const part = trials.slice(start, start + rowsPerStatement);
    const traces = part.flatMap(({ trace }) => trace ?? []);
    written.push(
      insertRows(
        sql,
        run,
        part.map(({ row }) => row),
      ),
    );
    if (traces.length > 0) written.push(insertTraces(sql, run, traces));
  }
  written.push(sql`
    update eval_runs set iteration_count = iteration_count + ${trials.length}, revision = revision + 1,
      deadline_at = now() + make_interval(secs => ${timeoutMs / 1000})
    where id = ${run.id}`);
  await Promise.all(written);
}

const columnsOfTrials = columnsOfRows<NewTrialRow>([
  { name: 'ordinal', type: 'integer', of: (row) => row.ordinal },
  { name: 'id', type: 'text', of: (row) => row.id },
  { name: 'external_id', type: 'text', of: (row) => row.externalId },
  { name: 'case_id', type: 'text', of: (row) => row.caseId },
  { name: 'declared_case_id', type: 'text', of: (row) => row.declaredCaseId },
  { name: 'title', type: 'text', of: (row) => row.title },
  { name: 'iteration_number', type: 'integer', of: (row) => row.trialNumber ?? row.ordinal },
  { name: 'numbered', type: 'boolean', of: (row) => row.trialNumber !== undefined },
  { name: 'status', type: 'text', of: (row) => row.status },
  { name: 'result', type: 'text', of: (row) => row.result },
  { name: 'evaluator_error', type: 'boolean', of: (row) => row.evaluatorError === true },
  { name: 'model', type: 'text', of: (row) => row.model },
  { name: 'provider', type: 'text', of: (row) => row.provider },
  { name: 'started_at', type: 'moment', of: (row) => row.startedAtMs },
  { name: 'duration_ms', type: 'number', of: (row) => row.durationMs },
  { name: 'tokens_used', type: 'number', of: (row) => row.tokensUsed },
  { name: 'usage', type: 'text', of: (row) => row.usage },
  { name: 'expected_tool_calls', type: 'text', of: (row) => row.expectedToolCalls },
  { name: 'actual_tool_calls', type: 'text', of: (row) => row.actualToolCalls },
  { name: 'error', type: 'text', of: (row) => row.error },
  { name: 'chain', type: 'text', of: (row) => row.chain },
  { name: 'scores', type: 'text', of: (row) => row.scores },
  { name: 'config_hash', type: 'text', of: (row) => row.configHash },
  { name: 'score_integrity', type: 'text', of: (row) => row.scoreIntegrity },
  { name: 'has_trace', type: 'boolean', of: (row) => row.hasTrace === true },
  { name: 'ended_in_project', type: 'text', of: (row) => row.projectId },
]);

async function insertRows(sql: Sql, run: RunOfTrials, rows: readonly NewTrialRow[]): Promise<void> {
  const { names } = columnsOfTrials;
  await sql`
    insert into eval_iterations (run_id, organization_id, ended_at, ${names})
    select ${run.id}, ${run.organizationId}, case when ended_in_project is not null then clock_timestamp() end, ${names}
    from ${columnsOfTrials.of(rows)} trials`;
}

const columnsOfTraces = columnsOfRows<NewTrace>([
  { name: 'ordinal', type: 'integer', of: (row) => row.ordinal },
  { name: 'trace', type: 'text', of: (row) => row.trace },
  { name: 'details', type: 'text', of: (row) => row.details },
]);

async function insertTraces(sql: Sql, run: RunOfTrials, rows: readonly NewTrace[]): Promise<void> {
  const { names } = columnsOfTraces;
  await sql`
    insert into eval_traces (run_id, organization_id, ${names})
    select ${run.id}, ${run.organizationId}, ${names} from ${columnsOfTraces.of(rows)} traces`;
}
