/**
 * Reads the data for comparing two runs. The database counts the trials. For each case, it also
 * returns a few trial ids and one error.
 */
import { failureLength, type ScoreTotals, type SpentTokens } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import {
  type Document,
  readRecord,
  readRecords,
} from '../../../platform/database/read-document.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';
import { listConfigs } from './evaluation-configs.ts';

const idsPerCase = 20;
/** The maximum number of trials whose scores are compared, because scores are read one by one. */
const mostScoredTrials = 10_000;

export async function findPreviousCompletedRun(
  sql: Sql,
  run: { readonly suiteId: string; readonly runNumber: number },
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from eval_runs
    where suite_id = ${run.suiteId} and run_number < ${run.runNumber} and status = 'completed'
      and ${countsForSuiteIn(sql)}
    order by run_number desc limit 1`;
  return row?.id;
}

export interface CaseTotals {
  readonly caseId: string | null;
  /** The current key of the case; null if the case has been deleted. */
  readonly caseKey: string | null;
  readonly declaredId: string | null;
  readonly title: string | null;
  readonly passed: number;
  readonly failed: number;
  readonly iterationIds: readonly string[];
  readonly firstNotPassed: string | null;
  readonly error: string | null;
}

/** In the order of each case's first trial. */
export async function listCaseTotals(sql: Sql, runId: string): Promise<CaseTotals[]> {
  return sql<CaseTotals[]>`
    select trials.case_id, case_key, declared_id, coalesce(trials.title, eval_cases.title) as title, passed, failed,
      iteration_ids, first_not_passed, error
    from (
      select case_id, min(ordinal) as first, min(title) as title,
        count(*) filter (where result = 'passed')::integer as passed,
        count(*) filter (where result = 'failed')::integer as failed,
        (array_agg(id order by ordinal))[1:${idsPerCase}::integer] as iteration_ids,
        (array_agg(id order by ordinal) filter (where result is distinct from 'passed'))[1] as first_not_passed,
        (array_agg(left(error, ${failureLength}) order by ordinal) filter (where result is distinct from 'passed' and error is not null))[1]
          as error
      from eval_iterations where run_id = ${runId} group by case_id
    ) trials left join eval_cases on eval_cases.id = trials.case_id
    order by first`;
}

export interface ModelTotals {
  readonly caseId: string | null;
  readonly model: string;
  readonly provider: string | null;
  readonly passed: number;
  readonly failed: number;
}

/** Groups results by case and model. Trials without a model are omitted. */
export async function listModelTotals(sql: Sql, runId: string): Promise<ModelTotals[]> {
  return sql<ModelTotals[]>`
    select case_id, model, provider,
      count(*) filter (where result = 'passed')::integer as passed,
      count(*) filter (where result = 'failed')::integer as failed
    from eval_iterations where run_id = ${runId} and model is not null
    group by case_id, model, provider order by case_id, model, provider`;
}

export interface RunMeasures {
  /**
   * Milliseconds from the start of the first trial to the end of the last; null if no trial has
   * times.
   */
  readonly wallDurationMs: number | null;
  /** Null if a trial with a result has no token count. */
  readonly totalTokens: number | null;
  readonly scoredTrials: number;
  readonly quarantinedTrials: number;
}

export async function measureRun(sql: Sql, runId: string): Promise<RunMeasures> {
  const [row] = await sql<RunMeasures[]>`
    select
      (extract(epoch from max(started_at + make_interval(secs => duration_ms / 1000)) - min(started_at)) * 1000)::float8
        as wall_duration_ms,
      case when count(*) filter (where result is not null and tokens_used is null) = 0
        then sum(tokens_used) end as total_tokens,
      count(*) filter (where score_integrity = 'valid')::integer as scored_trials,
      count(*) filter (where score_integrity = 'invalid')::integer as quarantined_trials
    from eval_iterations where run_id = ${runId}`;
  return row as RunMeasures;
}

export interface CaseTokens extends SpentTokens {
  readonly caseId: string | null;
}

/**
 * Lists the tokens that a launched run used. Trials that never began or whose set-up failed used no
 * model. `offset 0` makes PostgreSQL evaluate the subquery once per trial, not once per use.
 */
export async function listSpentTokens(sql: Sql, runId: string): Promise<CaseTokens[]> {
  return sql<CaseTokens[]>`
    select case_id, model, provider,
      count(*) filter (where used)::integer as trials,
      count(*) filter (where used and (input is null or output is null))::integer as unmeasured,
      coalesce(sum(input) filter (where used and output is not null), 0)::float8 as input_tokens,
      coalesce(sum(output) filter (where used and input is not null), 0)::float8 as output_tokens
    from (
      select case_id, model, provider,
        status in ('pending', 'running') or (started_at is not null and status <> 'setup_failed') as used,
        case when json_typeof(spent -> 'inputTokens') = 'number' then (spent ->> 'inputTokens')::numeric end as input,
        case when json_typeof(spent -> 'outputTokens') = 'number' then (spent ->> 'outputTokens')::numeric end as output
      from (
        select case_id, model, provider, status, started_at, document_of(usage) as spent
        from eval_iterations where run_id = ${runId} offset 0
      ) run
      offset 0
    ) trials
    group by case_id, model, provider`;
}

export interface RunScores {
  readonly ofRun: readonly ScoreTotals[];
  readonly ofCases: ReadonlyMap<string | null, readonly ScoreTotals[]>;
}

export async function totalScores(sql: Sql, runId: string): Promise<RunScores> {
  const ofRun = new Map<string, Totals>();
  const ofCases = new Map<string | null, Map<string, Totals>>();
  const gatingOf = new Map<string | null, ReadonlySet<string>>();
  for (const [hash, config] of await listConfigs(sql, runId)) {
    gatingOf.set(hash, gatingScorers(config));
  }
  const rows = sql<ScoreRow[]>`
    select case_id, scores, config_hash from eval_iterations
    where run_id = ${runId} and score_integrity = 'valid' and scores is not null
    order by ordinal limit ${mostScoredTrials}`;
  for await (const part of rows.cursor(500)) {
    for (const { caseId, scores, configHash } of part) {
      const gating = gatingOf.get(configHash) ?? new Set();
      const ofCase = ofCases.get(caseId) ?? new Map<string, Totals>();
      ofCases.set(caseId, ofCase);
      for (const score of readRecords(scores).filter(isScore)) {
        addScore(ofRun, score, gating);
        addScore(ofCase, score, gating);
      }
    }
  }
  const cases = new Map([...ofCases].map(([caseId, totals]) => [caseId, settled(totals)]));
  return { ofRun: settled(ofRun), ofCases: cases };
}

interface ScoreRow {
  readonly caseId: string | null;
  readonly scores: string;
  readonly configHash: string | null;
}

interface StoredScore {
  readonly scorerId: string;
  readonly definitionHash: string;
  readonly deterministic: boolean;
  readonly status: string;
  readonly value?: number;
  readonly passed?: boolean;
}

function isScore(score: object): score is StoredScore & Document {
  const { scorerId, definitionHash } = score as Partial<StoredScore>;
  return typeof scorerId === 'string' && typeof definitionHash === 'string';
}

type Totals = { -readonly [Field in keyof ScoreTotals]: ScoreTotals[Field] } & {
  readonly definitions: Set<string>;
};

/**
 * A scorer may be defined differently in several cases. It counts as unchanged only if all its
 * definitions are equal.
 */
function settled(totals: ReadonlyMap<string, Totals>): ScoreTotals[] {
  return [...totals.values()].map(({ definitions, ...one }) => ({
    ...one,
    definitionHash: [...definitions].sort().join(' '),
  }));
}

function addScore(
  totals: Map<string, Totals>,
  score: StoredScore,
  gating: ReadonlySet<string>,
): void {
  const { scorerId, definitionHash, deterministic } = score;
  let sum = totals.get(scorerId);
  if (sum === undefined) {
    const none = { scored: 0, passed: 0, sum: 0, errors: 0 };
    const definitions = new Set<string>();
    const isGating = gating.has(scorerId);
    sum = { scorerId, definitionHash, definitions, deterministic, gating: isGating, ...none };
    totals.set(scorerId, sum);
  }
  sum.definitions.add(definitionHash);
  if (score.status === 'error') sum.errors += 1;
  if (score.status !== 'scored' || score.value === undefined) return;
  sum.scored += 1;
  sum.sum += score.value;
  if (score.passed === true) sum.passed += 1;
}

function gatingScorers(evaluationConfig: string): ReadonlySet<string> {
  const definitions: unknown = readRecord(evaluationConfig)?.['definitions'];
  if (!Array.isArray(definitions)) return new Set();
  return new Set(
    definitions.flatMap((one) => (Object(one).role === 'gating' ? [String(one.scorerId)] : [])),
  );
}
