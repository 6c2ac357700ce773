/** Trials of a run as they were recorded, in the order in which they were. A page never reads a trace. */
import {
  cutPage,
  type IterationRecord,
  type Page,
  type PageRequest,
  picksTrial,
  type StoredChain,
  type TrialFilter,
} from '@proofmark/domain';
import type { Fragment, Sql } from './database.ts';

type Document = Readonly<Record<string, unknown>>;

export interface EvalIteration {
  readonly ordinal: number;
  readonly id: string;
  readonly caseId: string | null;
  readonly declaredCaseId: string | null;
  readonly title: string | null;
  readonly iterationNumber: number;
  readonly status: string;
  readonly result: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly startedAt: Date | null;
  readonly durationMs: number | null;
  readonly tokensUsed: number | null;
  readonly usage: Document | null;
  readonly expectedToolCalls: readonly Document[];
  readonly actualToolCalls: readonly Document[];
  readonly error: string | null;
  /** The stored derivation, not yet validated; absent when none was stored. */
  readonly chain: StoredChain | undefined;
  /** Not yet validated. */
  readonly scores: unknown;
  readonly evaluationConfig: Document | null;
  readonly scoreIntegrity: 'valid' | 'invalid' | null;
}

export async function listIterations(
  sql: Sql,
  runId: string,
  page: PageRequest,
  filter: TrialFilter = {},
): Promise<Page<EvalIteration>> {
  const isPicking = Object.values(filter).some((wanted) => wanted !== undefined);
  const trials = isPicking
    ? await readPicked(sql, runId, page, filter)
    : (await readPage<IterationRow>(sql, shownColumns(sql), runId, page)).map(readIteration);
  return cutPage(trials, page.limit, positionOf);
}

export async function findIteration(
  sql: Sql,
  runId: string,
  iterationId: string,
): Promise<EvalIteration | undefined> {
  const [row] = await sql<IterationRow[]>`
    select ${shownColumns(sql)} from eval_iterations
    where run_id = ${runId} and id = ${iterationId}`;
  return row && readIteration(row);
}

/**
 * The same page as the decision summary reads it. Of a trial that passed it says only that it passed,
 * so the documents of such a trial stay where they are.
 */
export async function listIterationRecords(
  sql: Sql,
  runId: string,
  page: PageRequest,
): Promise<Page<IterationRecord>> {
  const rows = await readPage<RecordRow>(
    sql,
    sql`ordinal, id, case_id, declared_case_id, title, iteration_number, status, result,
      ${unlessPassed(sql, 'expected_tool_calls')}, ${unlessPassed(sql, 'actual_tool_calls')},
      ${unlessPassed(sql, 'error')}, ${unlessPassed(sql, 'chain')}`,
    runId,
    page,
  );
  const { items, next } = cutPage(rows, page.limit, positionOf);
  return { items: items.map(readRecord), ...(next && { next }) };
}

export interface TracedIteration {
  readonly expectedToolCalls: readonly Document[];
  readonly actualToolCalls: readonly Document[];
  /** null when the trial was recorded without one. */
  readonly trace: Document | null;
  /** What else was reported about the trial. */
  readonly details: Document;
}

export async function findTracedIteration(
  sql: Sql,
  projectId: string,
  runId: string,
  iterationId: string,
): Promise<TracedIteration | undefined> {
  const [row] = await sql<TracedRow[]>`
    select expected_tool_calls, actual_tool_calls, trace, details
    from eval_runs
      join eval_iterations on eval_iterations.run_id = eval_runs.id
      left join eval_traces using (run_id, ordinal)
    where eval_runs.id = ${runId} and project_id = ${projectId} and eval_iterations.id = ${iterationId}`;
  return (
    row && {
      expectedToolCalls: JSON.parse(row.expectedToolCalls),
      actualToolCalls: JSON.parse(row.actualToolCalls),
      trace: parsed(row.trace),
      details: parsed(row.details) ?? {},
    }
  );
}

type DocumentColumn =
  | 'usage'
  | 'expectedToolCalls'
  | 'actualToolCalls'
  | 'chain'
  | 'scores'
  | 'evaluationConfig';
interface DocumentTexts {
  readonly usage: string | null;
  readonly expectedToolCalls: string;
  readonly actualToolCalls: string;
  readonly chain: string | null;
  readonly scores: string | null;
  readonly evaluationConfig: string | null;
}
type IterationRow = Omit<EvalIteration, DocumentColumn> & DocumentTexts;
type TracedRow = Pick<DocumentTexts, 'expectedToolCalls' | 'actualToolCalls'> & {
  readonly trace: string | null;
  readonly details: string | null;
};
type RecordRow = Pick<
  EvalIteration,
  | 'ordinal'
  | 'id'
  | 'caseId'
  | 'declaredCaseId'
  | 'title'
  | 'iterationNumber'
  | 'status'
  | 'result'
  | 'error'
> & {
  readonly expectedToolCalls: string | null;
  readonly actualToolCalls: string | null;
  readonly chain: string | null;
};

function readIteration(row: IterationRow): EvalIteration {
  return {
    ...row,
    usage: parsed(row.usage),
    expectedToolCalls: JSON.parse(row.expectedToolCalls),
    actualToolCalls: JSON.parse(row.actualToolCalls),
    chain: parsed(row.chain) ?? undefined,
    scores: parsed(row.scores),
    evaluationConfig: parsed(row.evaluationConfig),
  };
}

/** A column without a derivation leaves its four fields absent: null would be a stored value. */
function readRecord(row: RecordRow): IterationRecord {
  return {
    iterationId: row.id,
    iterationNumber: row.iterationNumber,
    caseId: row.declaredCaseId,
    testCaseId: row.caseId,
    title: row.title,
    status: row.status,
    result: row.result,
    ...(parsed(row.chain) as StoredChain | null),
    expectedToolCalls: parsed(row.expectedToolCalls) ?? [],
    actualToolCalls: parsed(row.actualToolCalls) ?? [],
    error: row.error,
  };
}

function positionOf({ ordinal, id }: Pick<EvalIteration, 'ordinal' | 'id'>) {
  return { order: ordinal, id };
}

/**
 * Ordinals follow each other, so a page lies between two of them. Saying both keeps the read small whatever the
 * planner believes about a run that has just grown. Only a page that is not full this way is looked for
 * beyond, where nearly always there is nothing.
 */
async function readPage<Row extends object>(
  sql: Sql,
  columns: Fragment,
  runId: string,
  { limit, after }: PageRequest,
): Promise<Row[]> {
  const to = (after?.order ?? 0) + limit + 1;
  const near = await sql<Row[]>`
    select ${columns} from eval_iterations
    where run_id = ${runId} and ordinal <= ${to} ${after ? sql`and ordinal > ${after.order}` : sql``}
    order by ordinal`;
  const lacking = limit + 1 - near.length;
  if (lacking <= 0) return [...near];
  const beyond = await sql<Row[]>`
    select ${columns} from eval_iterations
    where run_id = ${runId} and ordinal > ${to} order by ordinal limit ${lacking}`;
  return [...near, ...beyond];
}

/** Whether a chain holds together is known only once it was read, so the rule has the last word on every row. */
async function readPicked(
  sql: Sql,
  runId: string,
  { limit, after }: PageRequest,
  filter: TrialFilter,
): Promise<EvalIteration[]> {
  const atOnce = Math.max(limit + 1, filter.stage === undefined ? 0 : 200);
  const picked: EvalIteration[] = [];
  for (let from = after?.order; ; ) {
    const rows = await sql<IterationRow[]>`${selectPicked(sql, runId, filter, from, atOnce)}`;
    picked.push(...rows.map(readIteration).filter((trial) => picksTrial(filter, trial)));
    from = rows.at(-1)?.ordinal;
    if (rows.length < atOnce || picked.length > limit) return picked.slice(0, limit + 1);
  }
}

/** In the words of the index of trials that did not pass, without which it would not be used. */
export function selectPicked(
  sql: Sql,
  runId: string,
  { result, caseId, stage }: TrialFilter,
  from: number | undefined,
  limit: number,
): Fragment {
  const notPassed = sql`and result is distinct from 'passed'
    and (chain is not null or status not in ('pending', 'running'))`;
  return sql`
    select ${shownColumns(sql)} from eval_iterations where run_id = ${runId}
      ${from === undefined ? sql`` : sql`and ordinal > ${from}`}
      ${(result ?? stage) === undefined ? sql`` : notPassed}
      ${result === 'failed' ? sql`and result = 'failed'` : sql``}
      ${caseId === undefined ? sql`` : sql`and (case_id = ${caseId} or declared_case_id = ${caseId})`}
      ${stage === undefined ? sql`` : sql`and strpos(chain, ${`"firstFailedStage":"${stage}"`}) > 0`}
    order by ordinal limit ${limit}`;
}

function shownColumns(sql: Sql): Fragment {
  return sql`ordinal, id, case_id, declared_case_id, title, iteration_number, status, result, model,
    provider, started_at, duration_ms, tokens_used, usage, expected_tool_calls, actual_tool_calls,
    error, chain, scores, evaluation_config, score_integrity`;
}

function unlessPassed(sql: Sql, column: string): Fragment {
  return sql`case when result is distinct from 'passed' then ${sql(column)} end as ${sql(column)}`;
}

// biome-ignore lint/suspicious/noExplicitAny: documents are as their writer made them.
function parsed(text: string | null): any {
  return text === null ? null : JSON.parse(text);
}
