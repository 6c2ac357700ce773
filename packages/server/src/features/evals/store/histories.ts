/**
 * Stores the data of histories: for each ended run, the results of its graded trials by case
 * variant, content and tool surface. Replays and runs with an overlay do not measure the suite, so
 * they are omitted.
 */
import {
  canonicalJson,
  contentOfCase,
  isSteady,
  mostResultsOfHistories,
  presentHistories,
  type RecordedHistory,
  ResultCounter,
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

export interface RunOfHistories {
  readonly id: string;
  readonly endedAt: Date | null;
  /** Called only if the results of the run are not stored. */
  contents(): ContentHashes;
}

export interface RecordedHistories {
  readonly histories: readonly RecordedHistory[];
  /** The number of older runs that exceed `mostResultsOfHistories`, and are not read. */
  readonly omittedRuns: number;
}

/**
 * Lists the histories of a suite in the order of their last trials, up to a run. If the results of
 * that run are not stored, because it is open or ended long ago, its trials are counted.
 */
export async function listHistories(
  sql: Sql,
  suiteId: string,
  upTo?: RunOfHistories,
): Promise<RecordedHistories> {
  const [isStored, stored] = await Promise.all([
    upTo === undefined ||
      sql`select from graded_runs where run_id = ${upTo.id}`.then(({ count }) => count > 0),
    readRuns(sql, suiteId, upTo?.endedAt ?? null),
  ]);
  const read = stored.flatMap(({ variants, runs }) =>
    runs === null || variants === null ? [] : [{ variants, runs }],
  );
  const omittedRuns = stored.reduce((sum, { omitted }) => sum + omitted, 0);
  if (upTo === undefined || isStored) return { histories: joinRuns(read), omittedRuns };
  const counted = await sql<RunsOfVariants[]>`
    select variants, ${lineOfRun(sql, sql`coalesce(${upTo.endedAt}::timestamptz, now())`)} as runs
    from ${resultsOfRun(sql, upTo.id, upTo.contents())} counted`;
  return { histories: joinRuns([...read, ...counted]), omittedRuns };
}

/**
 * Runs with the same variants come as one row, so that the variants are sent once only. The
 * variants, most of the data, are not looked at before that. The index has the default collation;
 * without naming it, all variants would be read to find those of each group.
 */
async function readRuns(
  sql: Sql,
  suiteId: string,
  endedAt: Date | null,
): Promise<readonly StoredRuns[]> {
  return sql<StoredRuns[]>`
    select case when runs is not null then variants end as variants, runs, omitted
    from (
      select min(run_id collate "C") as any_run, (count(*) filter (where read > ${mostResultsOfHistories}))::integer as omitted,
        string_agg(${lineOfRun(sql, sql`ended_at`)}, ${newLine}) filter (where read <= ${mostResultsOfHistories}) as runs
      from (
        select run_id, variants_hash, results, ended_at,
          sum(variant_count) over (order by ended_at desc, run_id desc rows unbounded preceding) as read
        from graded_runs
        where suite_id = ${suiteId} and (${endedAt}::timestamptz is null or ended_at <= ${endedAt})
      ) newest
      group by variants_hash
    ) grouped join graded_runs on graded_runs.run_id = any_run collate "default"`;
}

const newLine = '\n';

interface StoredRuns {
  /** Null, like `runs`, if all of these runs are omitted. */
  readonly variants: string | null;
  readonly runs: string | null;
  readonly omitted: number;
}

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

interface JoinedHistory extends Omit<RecordedHistory, 'results'> {
  runs: number;
  firstEndedAt: number;
  lastEndedAt: number;
  lastRunId: string;
  /** The place of the last trial in the last run. */
  lastPlace: number;
  readonly counter: ResultCounter;
}

/** Joins the results of runs, in any order, to histories in the order of their last trials. */
export function joinRuns(rows: readonly RunsOfVariants[]): RecordedHistory[] {
  const known = new Map<string, JoinedHistory>();
  const runs = rows.flatMap(({ variants, runs: lines }) => {
    const histories = (JSON.parse(variants) as Variant[]).map((one) => historyOf(known, one));
    return readLines(lines, histories);
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
    .map(({ lastPlace, counter, ...one }) => ({ ...one, results: counter.turns() }));
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
  const made = {
    caseId,
    model,
    provider,
    runs: 0,
    ...times,
    ...last,
    counter: new ResultCounter(),
  };
  known.set(key, made);
  return made;
}

interface ReadRun {
  readonly id: string;
  readonly endedAt: number;
  readonly histories: readonly JoinedHistory[];
  readonly lines: string;
  /** The place of the results in `lines`. */
  readonly from: number;
  readonly to: number;
}

function readLines(lines: string, histories: readonly JoinedHistory[]): ReadRun[] {
  const runs: ReadRun[] = [];
  for (let start = 0; start <= lines.length; ) {
    const afterId = lines.indexOf(' ', start);
    const afterEnd = lines.indexOf(' ', afterId + 1);
    const newLineAt = lines.indexOf(newLine, afterEnd);
    const to = newLineAt === -1 ? lines.length : newLineAt;
    const endedAt = Number(lines.slice(afterId + 1, afterEnd));
    const id = lines.slice(start, afterId);
    runs.push({ id, endedAt, histories, lines, from: afterEnd + 1, to });
    start = to + 1;
  }
  return runs;
}

/** Reads 1,000 lines of many histories for a request, so it makes no text of each part. */
function addRun({ id, endedAt, histories, lines, from, to }: ReadRun): void {
  let at = from;
  for (const history of histories) {
    let place = 0;
    for (; at < to && lines.charCodeAt(at) !== colon; at += 1) {
      place = place * 10 + lines.charCodeAt(at) - zero;
    }
    at = addResults(history.counter, lines, at + 1, to) + 1;
    if (history.runs === 0) history.firstEndedAt = endedAt;
    history.runs += 1;
    history.lastEndedAt = endedAt;
    history.lastRunId = id;
    history.lastPlace = place;
  }
}

/** Returns the place after the results of a variant. */
function addResults(counter: ResultCounter, lines: string, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const sign = lines.charCodeAt(at);
    if (sign === space) break;
    const start = at;
    do at += 1;
    while (at < to && lines.charCodeAt(at) === sign);
    counter.add(sign !== zero, at - start);
  }
  return at;
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
  const { histories } = await listHistories(sql, suiteId);
  return presentHistories(histories).map(({ caseId, model, provider, lastRunId, results }) => ({
    caseId,
    model,
    provider,
    lastRunId,
    steady: isSteady(results),
  }));
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
