/** Trials as a judge reads them, and their chains once it has spoken. Results and counts stay as they are. */
import { type DerivedChain, isRecord, readToolCalls, type TrialEvidence } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readDocument, readRecord } from '../database/read-document.ts';
import type { JudgedCase } from './run-judges.ts';

export interface JudgeableTrial {
  readonly ordinal: number;
  readonly caseId: string;
  /** What was stored and cannot be read is undefined, here and below. */
  readonly evidence: TrialEvidence | undefined;
  readonly messages: readonly unknown[] | undefined;
  readonly expectedTools: readonly string[] | undefined;
  readonly calledTools: readonly string[] | undefined;
  /** The tools it was offered, as one JSON text; null when there was no list. */
  readonly tools: string | null;
  /** What was said when it was asked at that time. */
  readonly judged: JudgedTrialWord | undefined;
}

export interface JudgedTrialWord {
  readonly askedAt: number;
  readonly told: JudgedCase;
}

/** Those that came to an end with a trace, a few at a time, in order. */
export async function listJudgeableTrials(
  sql: Sql,
  runId: string,
  after: number,
  limit: number,
): Promise<JudgeableTrial[]> {
  const rows = await sql<TrialRow[]>`
    select ordinal, case_id, trace, details, expected_tool_calls, actual_tool_calls, surface as tools
    from eval_iterations join eval_traces using (run_id, ordinal)
      left join tool_surfaces on tool_surfaces.organization_id = eval_iterations.organization_id
        and tool_surfaces.hash = eval_iterations.tool_surface_hash
    where run_id = ${runId} and ordinal > ${after} and status = 'completed' and not evaluator_error
      and trace is not null
    order by ordinal limit ${limit}`;
  return rows.map(({ trace, details, expectedToolCalls, actualToolCalls, tools, ...row }) => {
    const { evidence, judged } = readRecord(details) ?? {};
    const messages = readRecord(trace)?.['messages'];
    return {
      ...row,
      evidence: isEvidence(evidence) ? evidence : undefined,
      judged: isWord(judged) ? judged : undefined,
      messages: Array.isArray(messages) ? messages : undefined,
      tools: readRecord(tools) === undefined ? null : tools,
      expectedTools: namesOf(expectedToolCalls),
      calledTools: namesOf(actualToolCalls),
    };
  });
}

interface TrialRow {
  readonly ordinal: number;
  readonly caseId: string;
  readonly trace: string;
  readonly details: string;
  readonly expectedToolCalls: string;
  readonly actualToolCalls: string;
  readonly tools: string | null;
}

function namesOf(text: string): string[] | undefined {
  const calls = readDocument(text);
  return Array.isArray(calls) ? readToolCalls(calls).map(({ toolName }) => toolName) : undefined;
}

const evidenceLists = ['spans', 'turns', 'assertions', 'toolErrors', 'renders'];

function isEvidence(value: unknown): value is TrialEvidence {
  if (!isRecord(value) || !isRecord(value['authored'])) return false;
  return evidenceLists.every((name) => {
    const list = value[name];
    return Array.isArray(list) && list.every(isRecord);
  });
}

function isWord(value: unknown): value is JudgedTrialWord {
  return isRecord(value) && typeof value['askedAt'] === 'number' && isRecord(value['told']);
}

/** The run first, as everybody locks it. */
export async function writeJudgedTrials(
  sql: Sql,
  runId: string,
  trials: readonly {
    readonly ordinal: number;
    readonly chain: DerivedChain;
    readonly evidence: TrialEvidence;
    readonly judged: JudgedTrialWord;
  }[],
): Promise<void> {
  const written = JSON.stringify(
    trials.map(({ ordinal, chain, evidence, judged }) => ({
      ordinal,
      chain: JSON.stringify(chain),
      details: JSON.stringify({ evidence, judged }),
    })),
  );
  await sql`update eval_runs set revision = revision + 1 where id = ${runId}`;
  await sql`
    update eval_iterations set chain = judged.chain
    from json_to_recordset(${written}::text::json) as judged (ordinal integer, chain text)
    where run_id = ${runId} and eval_iterations.ordinal = judged.ordinal`;
  await sql`
    update eval_traces set details = judged.details
    from json_to_recordset(${written}::text::json) as judged (ordinal integer, details text)
    where run_id = ${runId} and eval_traces.ordinal = judged.ordinal`;
}
