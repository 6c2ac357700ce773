/** The judge's answer is stored with the run but does not change the run's decision. */
import { isRecord, type PlannedJudge } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';

export interface JudgedCase {
  readonly caseKey: string;
  readonly score: number | null;
  readonly passed: boolean;
  readonly reason: string | null;
  readonly rubricHits: readonly string[];
}

export interface GroundedCase extends Omit<JudgedCase, 'rubricHits'> {
  readonly unsupportedClaims: readonly string[];
}

/**
 * Groundedness: whether the tool results support the answers. It is requested and completed
 * together with goal completion.
 */
export interface Groundedness {
  readonly status: 'completed' | 'failed';
  readonly errorCode: string | null;
  readonly summary: string;
  readonly threshold: number;
  readonly cases: readonly GroundedCase[];
}

export interface GoalCompletion {
  readonly status: 'pending' | 'completed' | 'failed';
  readonly errorCode: string | null;
  readonly summary: string | null;
  readonly generatedAt: number | null;
  readonly modelUsed: string | null;
  readonly threshold: number | null;
  readonly cases: readonly JudgedCase[];
  readonly model: string;
  readonly provider?: string;
  /** Absent until the judge has answered, and if groundedness was never requested. */
  readonly groundedness?: Groundedness;
}

export interface JudgeColumns {
  readonly judgeGroundedness: string | null;
  readonly judgeStatus: GoalCompletion['status'] | null;
  readonly judgeModel: string | null;
  readonly judgeProvider: string | null;
  readonly judgeThreshold: number | null;
  readonly judgeErrorCode: string | null;
  readonly judgeSummary: string | null;
  readonly judgeGeneratedAt: Date | null;
  readonly judgeCases: string | null;
}

export function judgeColumns(sql: Sql): Fragment {
  return sql`judge_status, judge_model, judge_provider, judge_threshold, judge_error_code, judge_summary,
    judge_generated_at, judge_cases, judge_groundedness`;
}

export async function findGoalCompletion(
  sql: Sql,
  runId: string,
): Promise<GoalCompletion | undefined> {
  const [row] = await sql<JudgeColumns[]>`
    select ${judgeColumns(sql)} from eval_runs where id = ${runId}`;
  return row && readGoalCompletion(row);
}

/** Returns whether retention removed the run's traces. If it did, no judge can be requested. */
export async function tracesWereRemoved(sql: Sql, runId: string): Promise<boolean> {
  const [row] = await sql<{ areGone: boolean }[]>`
    select traces_removed_at is not null as are_gone from eval_runs where id = ${runId}`;
  return row?.areGone === true;
}

/** An unreadable judgement is treated like a missing one. */
export function readGoalCompletion(row: JudgeColumns): GoalCompletion | undefined {
  const { judgeStatus: status, judgeModel: model, judgeProvider: provider } = row;
  const cases = row.judgeCases === null ? [] : readDocument(row.judgeCases);
  if (status === null || model === null || !isCases(cases)) return undefined;
  return {
    status,
    errorCode: row.judgeErrorCode,
    summary: row.judgeSummary,
    generatedAt: row.judgeGeneratedAt?.getTime() ?? null,
    modelUsed: status === 'pending' ? null : model,
    threshold: row.judgeThreshold,
    cases,
    model,
    ...(provider !== null && { provider }),
    ...readGroundedness(row),
  };
}

function readGroundedness({
  judgeGroundedness: stored,
}: JudgeColumns): Pick<GoalCompletion, 'groundedness'> {
  const read = stored === null ? undefined : readRecord(stored);
  const cases = read?.['cases'];
  const isReadable =
    Array.isArray(cases) &&
    cases.every((one) => isRecord(one) && Array.isArray(one['unsupportedClaims']));
  return isReadable ? { groundedness: read as unknown as Groundedness } : {};
}

function isCases(cases: unknown): cases is JudgedCase[] {
  return (
    Array.isArray(cases) && cases.every((one) => isRecord(one) && Array.isArray(one['rubricHits']))
  );
}

/**
 * Requests the judge, and deletes the earlier answers about the run and its trials. The caller must
 * hold the run's lock.
 */
export async function askJudge(
  sql: Sql,
  runId: string,
  { model, provider, threshold }: Pick<PlannedJudge, 'model' | 'provider' | 'threshold'>,
): Promise<void> {
  await sql`
    update eval_runs set judge_status = 'pending', judge_model = ${model}, judge_provider = ${provider ?? null},
      judge_threshold = ${threshold}, judge_error_code = null, judge_summary = null, judge_generated_at = null,
      judge_cases = null, judge_groundedness = null, revision = revision + 1
    where id = ${runId}`;
  await sql`delete from eval_judgements where run_id = ${runId}`;
}

/** Every transaction locks the run first, so that no two transactions deadlock. */
export async function holdJudgedRun(sql: Sql, runId: string): Promise<void> {
  await sql`select from eval_runs where id = ${runId} for no key update`;
}

export interface JudgeConclusion {
  readonly status: 'completed' | 'failed';
  readonly errorCode: string | null;
  readonly summary: string;
  readonly cases: readonly JudgedCase[];
  /** Absent if the judging failed because of the service. */
  readonly groundedness?: Groundedness;
}

export async function concludeJudge(
  sql: Sql,
  runId: string,
  { status, errorCode, summary, cases, groundedness }: JudgeConclusion,
): Promise<void> {
  await sql`
    update eval_runs set judge_status = ${status}, judge_error_code = ${errorCode}, judge_summary = ${summary},
      judge_generated_at = now(), judge_cases = ${JSON.stringify(cases)},
      judge_groundedness = ${groundedness === undefined ? null : JSON.stringify(groundedness)},
      revision = revision + 1
    where id = ${runId}`;
}
