/**
 * Reads a run's trials as they were recorded, in order. A page never contains a trace, and only the
 * beginning of an error, because both may be megabytes long.
 */
import {
  cutPage,
  type Divergence,
  failureLength,
  foldText,
  type Page,
  type PageRequest,
  picksNotPassed,
  picksTrial,
  type RecordingState,
  type ScannedTrial,
  Score,
  type StoredChain,
  shortenFailure,
  type TrialFilter,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import {
  type Document,
  readDocument,
  readRecord,
  readRecords,
} from '../../../platform/database/read-document.ts';
import { configColumn } from './evaluation-configs.ts';
import { readDivergence } from './recorded-trials.ts';

export interface StoredTrial {
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
  readonly warnings: readonly Document[];
  readonly refusedCalls: readonly Document[];
  /** Whether a reported trial had a trace; null if that was not recorded. */
  readonly hasTrace: boolean | null;
  /** The stored chain, not yet validated; absent if none was stored. */
  readonly chain: StoredChain | undefined;
  /** The stored scores, not yet validated. */
  readonly scores: unknown;
  readonly evaluationConfig: Document | null;
  readonly scoreIntegrity: 'valid' | 'invalid' | null;
  readonly recordingState: RecordingState | null;
  readonly recordingBytes: number | null;
  readonly recordingHash: string | null;
  readonly replayState: string | null;
  readonly divergence: Divergence | null;
}

export async function readTrials(
  sql: Sql,
  runId: string,
  page: PageRequest,
  filter: TrialFilter = {},
): Promise<Page<StoredTrial>> {
  const isPicking = Object.values(filter).some((wanted) => wanted !== undefined);
  const trials = isPicking
    ? await readPicked(sql, runId, page, filter)
    : (await readPage<TrialRow>(sql, pageColumns(sql), runId, page)).map(readShortened);
  return cutPage(trials, page.limit, positionOf);
}

export async function readTrial(
  sql: Sql,
  runId: string,
  trialId: string,
): Promise<StoredTrial | undefined> {
  const [row] = await sql<TrialRow[]>`
    select ${shownColumns(sql)}, error from eval_iterations
    where run_id = ${runId} and id = ${trialId}`;
  return row && trialOfRow(row);
}

/**
 * Reads no documents of passed trials, because the decision summary shows only that they passed.
 */
export async function readScannedTrials(
  sql: Sql,
  runId: string,
  page: PageRequest,
): Promise<Page<ScannedTrial>> {
  const rows = await readPage<RecordRow>(
    sql,
    sql`ordinal, id, case_id, declared_case_id, title, iteration_number, status, result,
      ${unlessPassed(sql, 'expected_tool_calls')}, ${unlessPassed(sql, 'actual_tool_calls')},
      case when result is distinct from 'passed' then left(error, ${shownLength}) end as error,
      ${unlessPassed(sql, 'chain')}`,
    runId,
    page,
  );
  const { items, next } = cutPage(rows, page.limit, positionOf);
  return { items: items.map(scannedTrialOfRow), ...(next && { next }) };
}

export interface TracedTrial {
  readonly expectedToolCalls: readonly Document[];
  readonly actualToolCalls: readonly Document[];
  /** Null if the trial was recorded without a trace. */
  readonly trace: Document | null;
  /** The other data that was reported with the trial. */
  readonly details: Document;
}

export async function readTracedTrial(
  sql: Sql,
  projectId: string,
  runId: string,
  trialId: string,
): Promise<TracedTrial | undefined> {
  const [row] = await sql<TracedRow[]>`
    select expected_tool_calls, actual_tool_calls, trace, details
    from eval_runs
      join eval_iterations on eval_iterations.run_id = ${runId}
      left join eval_traces using (run_id, ordinal)
    where eval_runs.id = ${runId} and project_id = ${projectId} and eval_iterations.id = ${trialId}`;
  return (
    row && {
      expectedToolCalls: readRecords(row.expectedToolCalls),
      actualToolCalls: readRecords(row.actualToolCalls),
      trace: readTrace(row.trace),
      details: readRecord(row.details) ?? {},
    }
  );
}

type DocumentColumn =
  | 'usage'
  | 'expectedToolCalls'
  | 'actualToolCalls'
  | 'chain'
  | 'warnings'
  | 'refusedCalls'
  | 'scores'
  | 'evaluationConfig'
  | 'divergence';
interface DocumentTexts {
  readonly usage: string | null;
  readonly expectedToolCalls: string;
  readonly actualToolCalls: string;
  readonly chain: string | null;
  readonly warnings: string | null;
  readonly refusedCalls: string | null;
  readonly scores: string | null;
  readonly evaluationConfig: string | null;
  readonly divergence: string | null;
}
type TrialRow = Omit<StoredTrial, DocumentColumn> & DocumentTexts;
type TracedRow = Pick<DocumentTexts, 'expectedToolCalls' | 'actualToolCalls'> & {
  readonly trace: string | null;
  readonly details: string | null;
};
type RecordRow = Pick<
  StoredTrial,
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

function trialOfRow(row: TrialRow): StoredTrial {
  return {
    ...row,
    usage: readRecord(row.usage) ?? null,
    expectedToolCalls: readRecords(row.expectedToolCalls),
    actualToolCalls: readRecords(row.actualToolCalls),
    chain: readStoredChain(row.chain),
    warnings: row.warnings === null ? [] : readRecords(row.warnings),
    refusedCalls: row.refusedCalls === null ? [] : readRecords(row.refusedCalls),
    divergence: readDivergence(row.divergence),
    ...readScores(row),
  };
}

/** Without a stored chain, the four chain fields are left out: a null would count as a value. */
function scannedTrialOfRow(row: RecordRow): ScannedTrial {
  return {
    iterationId: row.id,
    iterationNumber: row.iterationNumber,
    caseId: row.declaredCaseId,
    testCaseId: row.caseId,
    title: row.title,
    status: row.status,
    result: row.result,
    ...readStoredChain(row.chain),
    expectedToolCalls: readRecords(row.expectedToolCalls),
    actualToolCalls: readRecords(row.actualToolCalls),
    error: row.error,
  };
}

function positionOf({ ordinal, id }: Pick<StoredTrial, 'ordinal' | 'id'>) {
  return { order: ordinal, id };
}

/**
 * Reads a page as a range of ordinals. Both ends of the range are stated, so that the planner reads
 * only this range even if its statistics about a growing run are outdated. If the page is not full,
 * because ordinals have gaps or the run has no more trials, a second read without the upper end
 * follows.
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

/**
 * The SQL only preselects trials. `picksTrial` checks every row again, because a chain (stage
 * results) must be read to know whether it is consistent.
 */
async function readPicked(
  sql: Sql,
  runId: string,
  { limit, after }: PageRequest,
  filter: TrialFilter,
): Promise<StoredTrial[]> {
  const atOnce = Math.max(limit + 1, filter.stage === undefined ? 0 : 200);
  const isWanted = (row: TrialRow, trial: StoredTrial) =>
    picksTrial(filter, { ...trial, calls: row.actualToolCalls });
  const picked: StoredTrial[] = [];
  for (let from = after?.order; ; ) {
    const rows = await sql<TrialRow[]>`${selectPicked(sql, runId, filter, from, atOnce)}`;
    const read = rows.map((row) => [row, readShortened(row)] as const);
    picked.push(...read.filter(([row, trial]) => isWanted(row, trial)).map(([, trial]) => trial));
    from = rows.at(-1)?.ordinal;
    if (rows.length < atOnce || picked.length > limit) return picked.slice(0, limit + 1);
  }
}

/**
 * The condition for trials that did not pass repeats the text of the partial index, because the
 * planner would not use the index otherwise.
 */
export function selectPicked(
  sql: Sql,
  runId: string,
  filter: TrialFilter,
  from: number | undefined,
  limit: number,
): Fragment {
  const { result, caseId, stage, model, text } = filter;
  const notPassed = sql`and result is distinct from 'passed'
    and (chain is not null or status not in ('pending', 'running'))`;
  return sql`
    select ${pageColumns(sql)} from eval_iterations where run_id = ${runId}
      ${from === undefined ? sql`` : sql`and ordinal > ${from}`}
      ${picksNotPassed(filter) ? notPassed : sql``}
      ${result === 'failed' ? sql`and result = 'failed'` : sql``}
      ${result === 'notGraded' ? sql`and result is distinct from 'failed'` : sql``}
      ${result === 'passed' ? sql`and result = 'passed'` : sql``}
      ${model === undefined ? sql`` : sql`and model = ${model}`}
      ${text === undefined ? sql`` : sql`and ${hasText(sql, text)}`}
      ${caseId === undefined ? sql`` : sql`and (case_id = ${caseId} or declared_case_id = ${caseId})`}
      ${stage === undefined ? sql`` : sql`and strpos(chain, ${`"firstFailedStage":"${stage}"`}) > 0`}
    order by ordinal limit ${limit}`;
}

/** Ignores case only for ASCII letters (collation "C"), like `foldText`. */
function hasText(sql: Sql, text: string): Fragment {
  const wanted = foldText(text);
  const has = (column: Fragment) => sql`strpos(lower(${column} collate "C"), ${wanted}) > 0`;
  return sql`(${has(sql`title`)} or ${has(sql`left(error, ${failureLength})`)}
    or ${has(sql`actual_tool_calls`)})`;
}

function pageColumns(sql: Sql): Fragment {
  return sql`${shownColumns(sql)}, left(error, ${shownLength}) as error`;
}

function readShortened(row: TrialRow): StoredTrial {
  return trialOfRow({ ...row, error: row.error && shortenFailure(row.error) });
}

function shownColumns(sql: Sql): Fragment {
  return sql`ordinal, id, case_id, declared_case_id, title, iteration_number, status, result, model,
    provider, started_at, duration_ms, tokens_used, usage, expected_tool_calls, actual_tool_calls,
    chain, warnings, scores, score_integrity, has_trace, recording_state, recording_bytes, recording_hash,
    replay_state, divergence, refused_calls,
    ${configColumn(sql)}`;
}

function unlessPassed(sql: Sql, column: string): Fragment {
  return sql`case when result is distinct from 'passed' then ${sql(column)} end as ${sql(column)}`;
}

/**
 * The length in characters to which an error is read: one more than is shown, so that a cut can be
 * detected.
 */
const shownLength = failureLength + 1;

/** An unreadable chain is returned as a stored but invalid one. */
function readStoredChain(text: string | null): StoredChain | undefined {
  return text === null ? undefined : (readRecord(text) ?? { stageResults: null });
}

/**
 * Returns scores only with the configuration that produced them, because they mean nothing without
 * it.
 */
function readScores({ scores, evaluationConfig, scoreIntegrity }: TrialRow) {
  const read = Score.array().safeParse(readDocument(scores));
  const config = readRecord(evaluationConfig);
  if (scores === null || evaluationConfig === null) {
    return { scores: null, evaluationConfig: null, scoreIntegrity };
  }
  return read.success && config !== undefined
    ? { scores: read.data, evaluationConfig: config, scoreIntegrity }
    : { scores: null, evaluationConfig: null, scoreIntegrity: 'invalid' as const };
}

function readTrace(text: string | null): Document | null {
  const trace = readRecord(text);
  return trace !== undefined && Array.isArray(trace['messages']) ? trace : null;
}
