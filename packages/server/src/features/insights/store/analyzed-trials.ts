/**
 * Reads the trials of a run for detectors. Traces are large, so the caller should read a few at a
 * time.
 */
import {
  failureLength,
  mostAnalyzedTrials,
  type TrialToAnalyze,
  type VariantCounts,
  variantIdOf,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord, readRecords } from '../../../platform/database/read-document.ts';

/**
 * Lists failed trials first, then passed ones; other trials say nothing about the task. Case
 * variants alternate, so that one which fails often does not crowd out the others.
 */
export async function listOrdinalsToAnalyze(sql: Sql, runId: string): Promise<number[]> {
  const rows = await sql<{ ordinal: number }[]>`
    select ordinal from eval_iterations where run_id = ${runId}
    order by case result when 'failed' then 0 when 'passed' then 1 else 2 end,
      row_number() over (
        partition by result, declared_case_id, case_id, model, provider order by ordinal), ordinal
    limit ${mostAnalyzedTrials}`;
  return rows.map(({ ordinal }) => ordinal);
}

export async function countTrialsToAnalyze(
  sql: Sql,
  runId: string,
): Promise<{ readonly total: number; readonly graded: number }> {
  const [row] = await sql<{ total: number; graded: number }[]>`
    select count(*)::integer as total,
      (count(*) filter (where status = 'completed' and not evaluator_error and result is not null))::integer as graded
    from eval_iterations where run_id = ${runId}`;
  return row ?? { total: 0, graded: 0 };
}

/** The result uses the same variant ids as the detectors. */
export async function countVariants(
  sql: Sql,
  runId: string,
): Promise<ReadonlyMap<string, VariantCounts>> {
  const rows = await sql<(VariantColumns & VariantCounts)[]>`
    select declared_case_id, case_id, model, provider, count(*)::integer as graded,
      (count(*) filter (where result = 'failed'))::integer as failed
    from eval_iterations
    where run_id = ${runId} and status = 'completed' and not evaluator_error and result in ('passed', 'failed')
    group by declared_case_id, case_id, model, provider`;
  const counts = new Map<string, VariantCounts>();
  for (const { graded, failed, ...of } of rows) {
    const id = variantIdOf(of);
    const before = counts.get(id) ?? { graded: 0, failed: 0 };
    counts.set(id, { graded: before.graded + graded, failed: before.failed + failed });
  }
  return counts;
}

type VariantColumns = Parameters<typeof variantIdOf>[0];

export async function readTrialsToAnalyze(
  sql: Sql,
  runId: string,
  ordinals: readonly number[],
): Promise<TrialToAnalyze[]> {
  const rows = await sql<TrialRow[]>`
    select ordinal, id, case_id, declared_case_id, title, model, provider, status, result, evaluator_error,
      tokens_used, left(error, ${failureLength}) as error, expected_tool_calls, actual_tool_calls, chain,
      tool_surface_hash, trace
    from eval_iterations left join eval_traces using (run_id, ordinal)
    where run_id = ${runId} and ordinal = any (${ordinals})
    order by ordinal`;
  return rows.map(({ trace, chain, expectedToolCalls, actualToolCalls, tokensUsed, ...row }) => {
    const { messages, spans } = readRecord(trace) ?? {};
    return {
      ...row,
      tokensUsed: tokensUsed === null ? null : Number(tokensUsed),
      expectedToolCalls: readRecords(expectedToolCalls),
      actualToolCalls: readRecords(actualToolCalls),
      chain: chain === null ? undefined : (readRecord(chain) ?? { stageResults: null }),
      messages: Array.isArray(messages) ? messages : [],
      spans: Array.isArray(spans) ? spans : [],
    };
  });
}

interface TrialRow
  extends Omit<
    TrialToAnalyze,
    'chain' | 'messages' | 'spans' | 'expectedToolCalls' | 'actualToolCalls'
  > {
  readonly chain: string | null;
  readonly trace: string | null;
  readonly expectedToolCalls: string;
  readonly actualToolCalls: string;
}

/** Returns undefined if the tool surface is unreadable. */
export async function readSurface(
  sql: Sql,
  organizationId: string,
  hash: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await sql<{ surface: string }[]>`
    select surface from tool_surfaces where organization_id = ${organizationId} and hash = ${hash}`;
  return row && readRecord(row.surface);
}
