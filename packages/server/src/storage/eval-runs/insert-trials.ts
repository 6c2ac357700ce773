/**
 * Writes trials. The caller holds the run's row, so ordinals follow each other without a gap and in the order in
 * which batches were committed: whoever walks by ordinal while others append misses nothing.
 */
import type { Sql } from '../database/database.ts';
import { type Cell, separated } from '../database/separated.ts';

/**
 * A row on its way. What is not known is left out, which makes the row shorter than saying null. The last three
 * fields are filled in when its run is locked.
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
  readonly scoreIntegrity: 'valid' | 'invalid' | undefined;
  readonly hasTrace: true | undefined;
  caseId: string | undefined;
  iterationNumber: number | undefined;
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
  /** How long the run may be silent from now on. */
  timeoutMs: number,
): Promise<void> {
  const written: Promise<unknown>[] = [];
  for (const [index, { row, trace }] of trials.entries()) {
    row.ordinal = run.iterationCount + 1 + index;
    if (trace !== undefined) trace.ordinal = row.ordinal;
  }
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

async function insertRows(sql: Sql, run: RunOfTrials, rows: readonly NewTrialRow[]): Promise<void> {
  const { text, rowEnd, cellEnd } = separated(rows.map(iterationCells));
  await sql`
    insert into eval_iterations (run_id, ordinal, id, organization_id, external_id, case_id, declared_case_id,
      title, iteration_number, numbered, status, result, evaluator_error, model, provider, started_at,
      duration_ms, tokens_used, usage, expected_tool_calls, actual_tool_calls, error, chain, scores,
      evaluation_config, score_integrity, has_trace)
    select ${run.id}, cell[1]::integer, cell[2], ${run.organizationId}, cell[3], cell[4], cell[5],
      cell[6], coalesce(cell[7], cell[1])::integer, cell[7] is not null, cell[8], cell[9],
      cell[10] is not null, cell[11], cell[12], to_timestamp(cell[13]::double precision / 1000),
      cell[14]::double precision, cell[15]::double precision, cell[16], cell[17], cell[18], cell[19], cell[20],
      cell[21], cell[22], cell[23], cell[24] is not null
    from string_to_table(${text}, ${rowEnd}) as line, string_to_array(line, ${cellEnd}, '') as cell`;
}

/** In the order in which the statement above takes them. */
function iterationCells(row: NewTrialRow): Cell[] {
  return [
    row.ordinal,
    row.id,
    row.externalId,
    row.caseId,
    row.declaredCaseId,
    row.title,
    row.iterationNumber,
    row.status,
    row.result,
    row.evaluatorError,
    row.model,
    row.provider,
    row.startedAtMs,
    row.durationMs,
    row.tokensUsed,
    row.usage,
    row.expectedToolCalls,
    row.actualToolCalls,
    row.error,
    row.chain,
    row.scores,
    row.evaluationConfig,
    row.scoreIntegrity,
    row.hasTrace,
  ];
}

async function insertTraces(sql: Sql, run: RunOfTrials, rows: readonly NewTrace[]): Promise<void> {
  const { text, rowEnd, cellEnd } = separated(
    rows.map(({ ordinal, trace, details }) => [ordinal, trace, details]),
  );
  await sql`
    insert into eval_traces (run_id, ordinal, organization_id, trace, details)
    select ${run.id}, cell[1]::integer, ${run.organizationId}, cell[2], cell[3]
    from string_to_table(${text}, ${rowEnd}) as line, string_to_array(line, ${cellEnd}, '') as cell`;
}
