import type { KeptTrialContent, KnownCase } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../../platform/database/database.ts';
import { configColumn } from '../evaluation-configs.ts';

/** The number of trials read at a time; small, because one trial may be as large as a request. */
const trialsAtOnce = 50;

export async function* readReportedTrials(
  sql: Sql,
  runId: string,
  externalIds?: readonly string[],
): AsyncGenerator<KeptTrialContent> {
  const some: Fragment =
    externalIds === undefined ? sql`` : sql`and external_id = any (${externalIds as string[]})`;
  const rows = sql<TrialRow[]>`
    select external_id, declared_case_id, trials.title, status, result, evaluator_error, model, provider, started_at,
      duration_ms, usage, expected_tool_calls, actual_tool_calls, error, chain, scores,
      ${configColumn(sql, 'trials')}, score_integrity, trace, details, eval_cases.id as known_id, case_key, content_hash, declared_id
    from (select * from eval_iterations where run_id = ${runId} ${some}) trials
      left join eval_traces using (run_id, ordinal)
      left join eval_cases on eval_cases.id = trials.case_id
    order by ordinal`;
  for await (const part of rows.cursor(trialsAtOnce)) for (const row of part) yield readTrial(row);
}

interface TrialRow {
  readonly externalId: string | null;
  readonly declaredCaseId: string | null;
  readonly title: string | null;
  readonly status: string;
  readonly result: string | null;
  readonly evaluatorError: boolean;
  readonly model: string | null;
  readonly provider: string | null;
  readonly startedAt: Date | null;
  readonly durationMs: number | null;
  readonly usage: string | null;
  readonly expectedToolCalls: string;
  readonly actualToolCalls: string;
  readonly error: string | null;
  readonly chain: string | null;
  readonly scores: string | null;
  readonly evaluationConfig: string | null;
  readonly scoreIntegrity: string | null;
  readonly trace: string | null;
  readonly details: string | null;
  readonly knownId: string | null;
  readonly caseKey: string | null;
  readonly contentHash: string | null;
  readonly declaredId: string | null;
}

function readTrial(row: TrialRow): KeptTrialContent {
  const { knownId, caseKey, contentHash, declaredId } = row;
  return {
    content: {
      externalId: row.externalId ?? undefined,
      declaredCaseId: row.declaredCaseId ?? undefined,
      title: row.title ?? '',
      status: row.status,
      result: row.result ?? undefined,
      evaluatorError: row.evaluatorError,
      model: row.model ?? undefined,
      provider: row.provider ?? undefined,
      startedAtMs: row.startedAt?.getTime(),
      durationMs: row.durationMs ?? undefined,
      usage: parsed(row.usage),
      expectedToolCalls: parsed(row.expectedToolCalls),
      actualToolCalls: parsed(row.actualToolCalls),
      error: row.error ?? undefined,
      scores: parsed(row.scores),
      evaluationConfig: parsed(row.evaluationConfig),
      scoreIntegrity: row.scoreIntegrity ?? undefined,
      trace: parsed(row.trace),
      details: row.details === null ? {} : parsed(row.details),
    },
    chain: parsed(row.chain),
    knownCase:
      knownId === null || caseKey === null || contentHash === null
        ? undefined
        : ({ id: knownId, caseKey, contentHash, declaredId } satisfies KnownCase),
  };
}

/** An unreadable document becomes a symbol, so that it equals no reported value. */
function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return unreadable;
  }
}

const unreadable = Symbol('unreadable');
