/**
 * Stores what histories are made of: for each ended run, the results of its graded trials by case
 * variant, content and tool surface. Replays and runs with an overlay say nothing about the suite,
 * so they are left out.
 */
import {
  canonicalJson,
  contentOfCase,
  isSteady,
  presentHistories,
  type RecordedHistory,
  type RunPlan,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

/** The hashes of the cases of a launched run by case id. */
export type ContentHashes = ReadonlyMap<string, string>;

export function contentHashesOf(plan: Pick<RunPlan, 'cases'>): ContentHashes {
  return new Map(
    plan.cases.map((one) => [one.caseId, sha256Hex(canonicalJson(contentOfCase(one)))]),
  );
}

/** Stores the results of a run that has just ended. Reported cases have their hash in their row. */
export async function keepGradedResults(
  sql: Sql,
  runId: string,
  contents: ContentHashes,
): Promise<void> {
  await sql`
    insert into graded_results (run_id, number, organization_id, suite_id, case_id, model, provider, content_hash,
      tool_surface_hash, results, ended_at)
    select run_id, number, organization_id, suite_id, case_id, model, provider, content_hash, tool_surface_hash,
      results, now()
    from ${resultsOfRun(sql, runId, contents)} ended`;
}

/**
 * The most rows that are read, the newest first: those of 1,000 runs with 50 case variants. Older
 * results are left out.
 */
const mostRows = 50_000;

export interface RunOfHistories {
  readonly id: string;
  readonly endedAt: Date | null;
  /** Called only if nothing is stored about the run. */
  contents(): ContentHashes;
}

/**
 * Lists the histories of a suite in the order of their last trials, up to a run. If nothing is
 * stored about that run, because it is open or ended long ago, its trials are counted.
 */
export async function listHistories(
  sql: Sql,
  suiteId: string,
  upTo?: RunOfHistories,
): Promise<RecordedHistory[]> {
  const [isStored, rows] = await Promise.all([
    upTo === undefined ||
      sql`select from graded_results where run_id = ${upTo.id} limit 1`.then(
        ({ count }) => count > 0,
      ),
    readHistories(sql, suiteId, upTo?.endedAt ?? null),
  ]);
  if (upTo === undefined || isStored) return rows;
  const own = sql`union all
    select run_id, number, case_id, model, provider, content_hash, tool_surface_hash, results,
      coalesce(${upTo.endedAt}::timestamptz, now()) as ended_at
    from ${resultsOfRun(sql, upTo.id, upTo.contents())} counted`;
  return readHistories(sql, suiteId, upTo.endedAt, own);
}

/** Texts are compared byte by byte, since sorting them by language takes most of the time. */
async function readHistories(
  sql: Sql,
  suiteId: string,
  endedAt: Date | null,
  more = sql``,
): Promise<RecordedHistory[]> {
  const rows = await sql<HistoryRow[]>`
    select case_id, model, provider, count(*)::integer as runs,
      string_agg(results, '' order by ended_at, run_id) as results,
      (array_agg(run_id order by ended_at, run_id))[count(*)] as last_run_id,
      (array_agg(number order by ended_at, run_id))[count(*)] as last_number,
      (extract(epoch from min(ended_at)) * 1000)::float8 as first_ended_at,
      (extract(epoch from max(ended_at)) * 1000)::float8 as last_ended_at
    from (
      (select run_id collate "C" as run_id, number, case_id collate "C" as case_id, model collate "C" as model,
        provider collate "C" as provider, content_hash collate "C" as content_hash,
        tool_surface_hash collate "C" as tool_surface_hash, results, ended_at
      from graded_results where suite_id = ${suiteId} and (${endedAt}::timestamptz is null or ended_at <= ${endedAt})
      order by ended_at desc limit ${mostRows})
      ${more}
    ) kept
    group by case_id, model, provider, content_hash, tool_surface_hash
    order by max(ended_at), last_number`;
  return rows.map(({ results, lastNumber: _, ...one }) => ({
    ...one,
    results: Array.from(results, (result) => result === '1'),
  }));
}

export interface SteadyVariant
  extends Pick<RecordedHistory, 'caseId' | 'model' | 'provider' | 'lastRunId'> {
  /** Whether the last 59 graded trials of its present history passed. */
  readonly steady: boolean;
}

/** Tells of each case variant that a suite ever graded whether it is steady. */
export async function listSteadyVariants(sql: Sql, suiteId: string): Promise<SteadyVariant[]> {
  return presentHistories(await listHistories(sql, suiteId)).map(
    ({ caseId, model, provider, lastRunId, results }) => ({
      caseId,
      model,
      provider,
      lastRunId,
      steady: isSteady(results),
    }),
  );
}

type HistoryRow = Omit<RecordedHistory, 'results'> & {
  readonly results: string;
  readonly lastNumber: number;
};

/** The clocks of reporters order only the trials of their own run. */
function resultsOfRun(sql: Sql, runId: string, contents: ContentHashes): Fragment {
  return sql`(
    select run_id, row_number() over (order by last_place)::integer as number, graded.organization_id, graded.suite_id,
      case_id, model, provider, coalesce(launched.hash, eval_cases.content_hash) as content_hash, tool_surface_hash,
      results
    from (
      select run_id, organization_id, suite_id, source, case_id, model, provider, tool_surface_hash,
        max(place) as last_place, string_agg(case result when 'passed' then '1' else '0' end, '' order by place) as results
      from (
        select run_id, trial.organization_id, suite_id, source, case_id, model, provider, tool_surface_hash, trial.result,
          row_number() over (order by case when source = 'sdk'
            then extract(epoch from trial.started_at)::float8 + coalesce(duration_ms, 0) / 1000
            else extract(epoch from ended_at)::float8 end, ordinal) as place
        from eval_runs join eval_iterations trial on trial.run_id = ${runId}
        where eval_runs.id = ${runId} and ${countsForSuiteIn(sql)} and trial.status = 'completed'
          and not trial.evaluator_error and trial.result in ('passed', 'failed')
      ) ended
      group by run_id, organization_id, suite_id, source, case_id, model, provider, tool_surface_hash
    ) graded
    left join json_each_text(${JSON.stringify(Object.fromEntries(contents))}::text::json) launched (told_id, hash)
      on told_id = case_id
    left join eval_cases on source = 'sdk' and eval_cases.id = case_id
    where coalesce(launched.hash, eval_cases.content_hash) is not null)`;
}
