/**
 * Reads trials for a judge, and writes their newly derived chains (stage results) after the judge's
 * answer. The results and counts of the trials do not change.
 */
import { type DerivedChain, isRecord, readToolCalls, type TrialEvidence } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import {
  type HeldWork,
  holdWork,
  type WorkRange,
} from '../../../platform/work/store/leased-work.ts';
import type { GroundedCase, JudgedCase } from './run-judges.ts';
import { judgementsWork } from './run-work.ts';

export interface JudgeableTrial {
  readonly ordinal: number;
  readonly caseId: string;
  /** The judge's answer for the case is shown under this key. */
  readonly caseKey: string;
  /** Undefined if the stored data cannot be read; so are the following fields. */
  readonly evidence: TrialEvidence | undefined;
  readonly messages: readonly unknown[] | undefined;
  readonly expectedTools: readonly string[] | undefined;
  readonly calledTools: readonly string[] | undefined;
  /** The offered tools as one JSON text; null if no list of tools was stored. */
  readonly tools: string | null;
}

/** Lists the trials in this part of the run that have ended with a trace and are not judged yet. */
export async function listTrialsToJudge(
  sql: Sql,
  { groupId: runId, firstItem, lastItem }: WorkRange & { readonly groupId: string },
): Promise<JudgeableTrial[]> {
  const rows = await sql<TrialRow[]>`
    select ordinal, case_id, coalesce(declared_case_id, case_id) as case_key, trace, details, expected_tool_calls,
      actual_tool_calls, surface as tools
    from eval_iterations join eval_traces using (run_id, ordinal)
      left join tool_surfaces on tool_surfaces.organization_id = eval_iterations.organization_id
        and tool_surfaces.hash = eval_iterations.tool_surface_hash
    where run_id = ${runId} and ordinal between ${firstItem} and ${lastItem} and status = 'completed'
      and not evaluator_error and trace is not null
      and not exists (
        select from eval_judgements said where said.run_id = eval_iterations.run_id
          and said.ordinal = eval_iterations.ordinal)
    order by ordinal`;
  return rows.map(({ trace, details, expectedToolCalls, actualToolCalls, tools, ...row }) => {
    const { evidence } = readRecord(details) ?? {};
    const messages = readRecord(trace)?.['messages'];
    return {
      ...row,
      evidence: isEvidence(evidence) ? evidence : undefined,
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
  readonly caseKey: string;
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

export interface JudgedTrial {
  readonly ordinal: number;
  readonly judged: JudgedCase;
  /** Absent if the trial contains no answer, or no tool result to compare the answer with. */
  readonly grounded?: GroundedCase;
  /** Absent if there is no evidence to derive a chain from. The trial then keeps its chain. */
  readonly rederived?: { readonly chain: DerivedChain; readonly evidence: TrialEvidence };
}

/**
 * Writes the judge's answers only if the caller still holds the lease. Returns whether it does.
 * Locks the run first, like all transactions, so that no two of them deadlock.
 */
export async function writeJudgedTrials(
  sql: Sql,
  held: HeldWork,
  trials: readonly JudgedTrial[],
): Promise<boolean> {
  const { groupId: runId, organizationId } = held;
  await sql`update eval_runs set revision = revision + 1 where id = ${runId}`;
  const group = { kind: judgementsWork, groupId: runId };
  const [isHeld] = await holdWork(sql, group, [{ held, madeProgress: trials.length > 0 }]);
  if (!isHeld) return false;
  const rederived = trials.flatMap(({ ordinal, rederived }) =>
    rederived === undefined
      ? []
      : {
          ordinal,
          chain: JSON.stringify(rederived.chain),
          details: JSON.stringify({ evidence: rederived.evidence }),
        },
  );
  const judgedRows = trials.map(
    ({ ordinal, grounded, judged: { caseKey, rubricHits, ...rest } }) => ({
      ordinal,
      ...rest,
      case_key: caseKey,
      rubric_hits: JSON.stringify(rubricHits),
      groundedness: grounded === undefined ? null : JSON.stringify(grounded),
    }),
  );
  const [chains, words] = [JSON.stringify(rederived), JSON.stringify(judgedRows)];
  await Promise.all([
    sql`
      update eval_iterations set chain = judged.chain
      from json_to_recordset(${chains}::text::json) as judged (ordinal integer, chain text)
      where run_id = ${runId} and eval_iterations.ordinal = judged.ordinal`,
    sql`
      update eval_traces set details = judged.details
      from json_to_recordset(${chains}::text::json) as judged (ordinal integer, details text)
      where run_id = ${runId} and eval_traces.ordinal = judged.ordinal`,
    sql`
      insert into eval_judgements (run_id, ordinal, organization_id, case_key, score, passed, reason, rubric_hits,
        groundedness)
      select ${runId}, ordinal, ${organizationId}, case_key, score, passed, reason, rubric_hits, groundedness
      from json_to_recordset(${words}::text::json) as judged (
        ordinal integer, case_key text, score double precision, passed boolean, reason text, rubric_hits text,
        groundedness text)
      -- Asked again where the answer to a commit was lost.
      on conflict (run_id, ordinal) do nothing`,
  ]);
  return true;
}

/**
 * For each case, returns the judgement of the trial with the lowest score, in the order of the
 * run's cases.
 */
export async function lowestJudgements(sql: Sql, runId: string): Promise<JudgedCase[]> {
  const rows = await sql<(Omit<JudgedCase, 'rubricHits'> & { rubricHits: string })[]>`
    select case_key, score, passed, reason, rubric_hits from (
      select distinct on (case_key) case_key, score, passed, reason, rubric_hits,
        min(ordinal) over (partition by case_key) as place
      from eval_judgements where run_id = ${runId}
      order by case_key, coalesce(score, -1), ordinal) lowest
    order by place`;
  return rows.map(({ rubricHits, ...row }) => ({
    ...row,
    rubricHits: readDocument(rubricHits) as string[],
  }));
}

/**
 * For each case graded for groundedness, returns its lowest grade, in the order of the run's cases.
 */
export async function lowestGroundedness(sql: Sql, runId: string): Promise<GroundedCase[]> {
  const rows = await sql<{ groundedness: string }[]>`
    select groundedness from (
      select distinct on (case_key) groundedness, min(ordinal) over (partition by case_key) as place
      from eval_judgements where run_id = ${runId} and groundedness is not null
      order by case_key, coalesce((groundedness::json->>'score')::double precision, -1), ordinal) lowest
    order by place`;
  return rows.map(({ groundedness }) => readDocument(groundedness) as GroundedCase);
}
