/**
 * Stores the data of histories: for each ended run, the results of its graded trials by case
 * variant, content and tool surface. Replays and runs with an overlay do not measure the suite, so
 * they are omitted.
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

export type ContentHashes = ReadonlyMap<string, string>;

export function contentHashesOf(plan: Pick<RunPlan, 'cases'>): ContentHashes {
  return new Map(
    plan.cases.map((one) => [one.caseId, sha256Hex(canonicalJson(contentOfCase(one)))]),
  );
}

/**
 * Stores the results of a run that has just ended. `contents` holds the content hashes of launched
 * cases; reported cases have theirs in their rows.
 */
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
 * The maximum number of rows to read, newest first. Enough for 1,000 runs with 50 case variants;
 * older results are omitted.
 */
const mostRows = 50_000;

export interface RunOfHistories {
  readonly id: string;
  readonly endedAt: Date | null;
  /** Called only if the results of the run are not stored. */
  contents(): ContentHashes;
}

/**
 * Lists the histories of a suite in the order of their last trials, up to a run. If the results of
 * that run are not stored, because it is open or ended long ago, its trials are counted.
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

/**
 * Texts are compared byte by byte, since sorting them by language takes most of the time. So would
 * sorting the results within each group; they come with their places instead, and nearly always in
 * order.
 */
async function readHistories(
  sql: Sql,
  suiteId: string,
  endedAt: Date | null,
  more = sql``,
): Promise<RecordedHistory[]> {
  const rows = await sql<HistoryRow[]>`
    select case_id, model, provider, count(*)::integer as runs, string_agg(place || ':' || results, ' ') as placed,
      max(lpad(place::text, 8, '0') || run_id) as last_place_and_run,
      (extract(epoch from min(ended_at)) * 1000)::float8 as first_ended_at,
      (extract(epoch from max(ended_at)) * 1000)::float8 as last_ended_at
    from (
      select *, row_number() over (order by ended_at, run_id, number) as place
      from (
        (select run_id collate "C" as run_id, number, case_id collate "C" as case_id, model collate "C" as model,
          provider collate "C" as provider, content_hash collate "C" as content_hash,
          tool_surface_hash collate "C" as tool_surface_hash, results, ended_at
        from graded_results where suite_id = ${suiteId} and (${endedAt}::timestamptz is null or ended_at <= ${endedAt})
        order by ended_at desc limit ${mostRows})
        ${more}
      ) kept
    ) numbered
    group by case_id, model, provider, content_hash, tool_surface_hash
    order by max(place)`;
  return rows.map(({ placed, lastPlaceAndRun, ...one }) => ({
    ...one,
    lastRunId: lastPlaceAndRun.slice(8),
    results: readResults(inOrder(placed)),
  }));
}

/** Joins the results of runs, each after its place, in the order of the places. */
export function inOrder(placed: string): string {
  const results: string[] = [];
  const places: number[] = [];
  let isSorted = true;
  for (const one of placed.split(' ')) {
    const colon = one.indexOf(':');
    const place = Number(one.slice(0, colon));
    if (place < (places.at(-1) ?? 0)) isSorted = false;
    places.push(place);
    results.push(one.slice(colon + 1));
  }
  if (isSorted) return results.join('');
  const order = [...places.keys()].sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  return order.map((at) => results[at]).join('');
}

function readResults(stored: string): boolean[] {
  const results = new Array<boolean>(stored.length);
  for (let at = 0; at < stored.length; at += 1) results[at] = stored.charCodeAt(at) === passedCode;
  return results;
}

const passedCode = '1'.charCodeAt(0);

export interface SteadyVariant
  extends Pick<RecordedHistory, 'caseId' | 'model' | 'provider' | 'lastRunId'> {
  /** Whether the last 59 graded trials of the current history passed. */
  readonly steady: boolean;
}

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

type HistoryRow = Omit<RecordedHistory, 'results' | 'lastRunId'> & {
  readonly placed: string;
  readonly lastPlaceAndRun: string;
};

/** The clocks of different reporters differ. So their times order only trials of the same run. */
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
