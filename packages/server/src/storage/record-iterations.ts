/**
 * Writes trials. The caller holds the run's row, so ordinals follow each other without a gap and in the order in
 * which batches were committed: whoever walks by ordinal while others append misses nothing.
 */
import type { Sql } from './database.ts';

/**
 * A row on its way. What is not known is left out, which makes the row shorter than saying null. The last three
 * fields are filled in when its run is locked.
 */
export interface NewIteration {
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
  readonly row: NewIteration;
  readonly trace: NewTrace | undefined;
}

export interface RunOfIterations {
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
  run: RunOfIterations,
  trials: readonly NewTrial[],
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
    update eval_runs set iteration_count = iteration_count + ${trials.length}, revision = revision + 1
    where id = ${run.id}`);
  await Promise.all(written);
}

async function insertRows(
  sql: Sql,
  run: RunOfIterations,
  rows: readonly NewIteration[],
): Promise<void> {
  await sql`
    insert into eval_iterations (run_id, ordinal, id, organization_id, external_id, case_id, declared_case_id,
      title, iteration_number, numbered, status, result, evaluator_error, model, provider, started_at,
      duration_ms, tokens_used, usage, expected_tool_calls, actual_tool_calls, error, chain, scores,
      evaluation_config, score_integrity)
    select ${run.id}, ordinal, id, ${run.organizationId}, "externalId", "caseId", "declaredCaseId",
      title, coalesce("iterationNumber", ordinal), "iterationNumber" is not null, status, result,
      coalesce("evaluatorError", false), model, provider, to_timestamp("startedAtMs" / 1000), "durationMs", "tokensUsed", usage,
      "expectedToolCalls", "actualToolCalls", error, chain, scores, "evaluationConfig", "scoreIntegrity"
    from json_to_recordset(${jsonOf(rows)}::text::json) as made (
      ordinal integer, id text, "externalId" text, "caseId" text, "declaredCaseId" text, title text,
      "iterationNumber" integer, status text, result text, "evaluatorError" boolean, model text,
      provider text, "startedAtMs" double precision, "durationMs" double precision,
      "tokensUsed" double precision, usage text, "expectedToolCalls" text, "actualToolCalls" text,
      error text, chain text, scores text, "evaluationConfig" text, "scoreIntegrity" text)`;
}

async function insertTraces(
  sql: Sql,
  run: RunOfIterations,
  rows: readonly NewTrace[],
): Promise<void> {
  await sql`
    insert into eval_traces (run_id, ordinal, organization_id, trace, details)
    select ${run.id}, ordinal, ${run.organizationId}, trace, details
    from json_to_recordset(${jsonOf(rows)}::text::json) as made (
      ordinal integer, trace text, details text)`;
}

/**
 * Rows as JSON. The documents in them are written once, as part of their row: for a column of text PostgreSQL takes
 * the text of a value inside as it stands. Two escapes it cannot read, U+0000 and half a character; where
 * one may be, every document is handed over as text within the text, which is kept as it is.
 */
function jsonOf(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  if (!text.includes('\\u') || !/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(rows.map((row) => Object.fromEntries(Object.entries(row).map(asText))));
}

function asText([name, value]: [string, unknown]): [string, unknown] {
  return [name, typeof value === 'object' ? JSON.stringify(value) : value];
}
