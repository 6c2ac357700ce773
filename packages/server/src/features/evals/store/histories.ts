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
    insert into graded_runs (run_id, organization_id, suite_id, variants, variants_hash, variant_count, results, ended_at)
    select run_id, organization_id, suite_id, variants, sha256(convert_to(variants, 'UTF8')), variant_count, results, now()
    from ${resultsOfRun(sql, runId, contents)} ended`;
}

/**
 * The maximum number of results of case variants to read, those of the newest runs first. Enough
 * for 1,000 runs with 50 case variants; older runs are omitted.
 */
const mostResults = 50_000;

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
  const [isStored, stored] = await Promise.all([
    upTo === undefined ||
      sql`select from graded_runs where run_id = ${upTo.id}`.then(({ count }) => count > 0),
    readRuns(sql, suiteId, upTo?.endedAt ?? null),
  ]);
  if (upTo === undefined || isStored) return joinRuns(stored);
  const counted = await sql<RunsOfVariants[]>`
    select variants, ${lineOfRun(sql, sql`coalesce(${upTo.endedAt}::timestamptz, now())`)} as runs
    from ${resultsOfRun(sql, upTo.id, upTo.contents())} counted`;
  return joinRuns([...stored, ...counted]);
}

/**
 * Runs with the same variants come as one row, so that the variants are sent once only. The
 * variants, most of the data, are not looked at before that.
 */
async function readRuns(
  sql: Sql,
  suiteId: string,
  endedAt: Date | null,
): Promise<readonly RunsOfVariants[]> {
  return sql<RunsOfVariants[]>`
    select variants, runs
    from (
      select min(run_id collate "C") as any_run, string_agg(${lineOfRun(sql, sql`ended_at`)}, ${newLine}) as runs
      from (
        select run_id, variants_hash, results, ended_at,
          sum(variant_count) over (order by ended_at desc, run_id desc rows unbounded preceding) as read
        from graded_runs
        where suite_id = ${suiteId} and (${endedAt}::timestamptz is null or ended_at <= ${endedAt})
      ) newest
      where read <= ${mostResults}
      group by variants_hash
    ) grouped join graded_runs on graded_runs.run_id = any_run`;
}

const newLine = '\n';

/** The runs that belong to the same histories. */
export interface RunsOfVariants {
  /** JSON: case, model, provider, content hash and tool surface hash of each history. */
  readonly variants: string;
  /** Lines of id, end in milliseconds, and the results of each variant after its place. */
  readonly runs: string;
}

function lineOfRun(sql: Sql, endedAt: Fragment): Fragment {
  return sql`run_id || ' ' || (date_part('epoch', ${endedAt}) * 1000)::bigint || ' ' || results`;
}

interface JoinedHistory extends RecordedHistory {
  runs: number;
  firstEndedAt: number;
  lastEndedAt: number;
  lastRunId: string;
  /** The place of the last trial in the last run. */
  lastPlace: number;
  readonly results: boolean[];
}

/** Joins the results of runs, in any order, to histories in the order of their last trials. */
export function joinRuns(rows: readonly RunsOfVariants[]): RecordedHistory[] {
  const known = new Map<string, JoinedHistory>();
  const runs = rows.flatMap(({ variants, runs: lines }) => {
    const histories = (JSON.parse(variants) as Variant[]).map((one) => historyOf(known, one));
    return lines.split(newLine).map((line) => readLine(line, histories));
  });
  runs.sort((one, other) => one.endedAt - other.endedAt || compareTexts(one.id, other.id));
  for (const run of runs) addRun(run);
  return [...known.values()]
    .sort(
      (one, other) =>
        one.lastEndedAt - other.lastEndedAt ||
        compareTexts(one.lastRunId, other.lastRunId) ||
        one.lastPlace - other.lastPlace,
    )
    .map(({ lastPlace, ...one }) => one);
}

type Variant = readonly [
  caseId: string,
  model: string | null,
  provider: string | null,
  contentHash: string,
  toolSurfaceHash: string | null,
];

function historyOf(known: Map<string, JoinedHistory>, variant: Variant): JoinedHistory {
  const key = JSON.stringify(variant);
  const found = known.get(key);
  if (found !== undefined) return found;
  const [caseId, model, provider] = variant;
  const times = { firstEndedAt: Number.NaN, lastEndedAt: Number.NaN };
  const last = { lastRunId: '', lastPlace: 0 };
  const made = { caseId, model, provider, runs: 0, ...times, ...last, results: [] };
  known.set(key, made);
  return made;
}

interface ReadRun {
  readonly id: string;
  readonly endedAt: number;
  readonly histories: readonly JoinedHistory[];
  /** The results begin at this place of the line. */
  readonly line: string;
  readonly from: number;
}

function readLine(line: string, histories: readonly JoinedHistory[]): ReadRun {
  const afterId = line.indexOf(' ');
  const afterEnd = line.indexOf(' ', afterId + 1);
  const endedAt = Number(line.slice(afterId + 1, afterEnd));
  return { id: line.slice(0, afterId), endedAt, histories, line, from: afterEnd + 1 };
}

/** Reads 1,000 lines of many histories for a request, so it makes no text of each part. */
function addRun({ id, endedAt, histories, line, from }: ReadRun): void {
  let at = from;
  for (const history of histories) {
    let place = 0;
    for (; at < line.length && line.charCodeAt(at) !== colon; at += 1) {
      place = place * 10 + line.charCodeAt(at) - zero;
    }
    at += 1;
    for (; at < line.length && line.charCodeAt(at) !== space; at += 1) {
      history.results.push(line.charCodeAt(at) !== zero);
    }
    at += 1;
    if (history.runs === 0) history.firstEndedAt = endedAt;
    history.runs += 1;
    history.lastEndedAt = endedAt;
    history.lastRunId = id;
    history.lastPlace = place;
  }
}

const [zero, colon, space] = [48, 58, 32];

/** Compares by code units, as the database compares ids. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

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

/** The clocks of different reporters differ. So their times order only trials of the same run. */
function resultsOfRun(sql: Sql, runId: string, contents: ContentHashes): Fragment {
  return sql`(
    select run_id, organization_id, suite_id, count(*) as variant_count,
      json_agg(variant order by variant::text collate "C")::text as variants,
      string_agg(number || ':' || results, ' ' order by variant::text collate "C") as results
    from (
      select run_id, row_number() over (order by last_place) as number, graded.organization_id, graded.suite_id, results,
        json_build_array(case_id, model, provider, coalesce(launched.hash, eval_cases.content_hash), tool_surface_hash)
          as variant
      from (
        select run_id, organization_id, suite_id, source, case_id, model, provider, tool_surface_hash,
          max(place) as last_place,
          string_agg(case result when 'passed' then '1' else '0' end, '' order by place) as results
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
      where coalesce(launched.hash, eval_cases.content_hash) is not null
    ) single
    group by run_id, organization_id, suite_id)`;
}
