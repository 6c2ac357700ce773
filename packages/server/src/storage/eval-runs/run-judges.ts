/** What the judge said about a run, or that it was asked. It stands beside the run and decides nothing. */
import { isRecord, type PlannedJudge } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readRecord } from '../database/read-document.ts';

export interface JudgedCase {
  readonly caseKey: string;
  readonly score: number | null;
  readonly passed: boolean;
  readonly reason: string | null;
  readonly rubricHits: readonly string[];
}

export interface GoalCompletion {
  readonly status: 'pending' | 'completed' | 'failed';
  readonly errorCode: string | null;
  readonly summary: string | null;
  readonly generatedAt: number | null;
  readonly modelUsed: string | null;
  readonly threshold: number | null;
  readonly cases: readonly JudgedCase[];
  /** When it was asked, which tells one asking from another. */
  readonly askedAt: number;
  /** The model that was asked, and its provider where one was named. */
  readonly model: string;
  readonly provider?: string;
}

export async function findGoalCompletion(
  sql: Sql,
  runId: string,
): Promise<GoalCompletion | undefined> {
  const [row] = await sql<{ judges: string | null }[]>`
    select judges from eval_runs where id = ${runId}`;
  return readJudges(row?.judges ?? null)?.goalCompletion;
}

/** What cannot be read was never said. */
export function readJudges(text: string | null): { goalCompletion: GoalCompletion } | null {
  const judged = readRecord(text)?.['goalCompletion'];
  if (!isRecord(judged) || !Array.isArray(judged['cases'])) return null;
  const { status, cases } = judged;
  const isOne =
    (status === 'pending' || status === 'completed' || status === 'failed') &&
    cases.every((one) => isRecord(one) && Array.isArray(one['rubricHits']));
  return isOne ? { goalCompletion: judged as unknown as GoalCompletion } : null;
}

/** The caller holds the run. */
export async function askJudge(
  sql: Sql,
  runId: string,
  judge: Pick<PlannedJudge, 'model' | 'provider' | 'threshold'>,
): Promise<void> {
  const { model, provider, threshold } = judge;
  await saveGoalCompletion(sql, runId, {
    ...{ status: 'pending', errorCode: null, summary: null, generatedAt: null, modelUsed: null },
    ...{
      threshold,
      cases: [],
      askedAt: Date.now(),
      model,
      ...(provider !== undefined && { provider }),
    },
  });
}

export async function saveGoalCompletion(
  sql: Sql,
  runId: string,
  goalCompletion: GoalCompletion,
): Promise<void> {
  await sql`
    update eval_runs set judges = ${JSON.stringify({ goalCompletion })}, revision = revision + 1
    where id = ${runId}`;
}
