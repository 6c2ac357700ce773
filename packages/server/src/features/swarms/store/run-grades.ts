/**
 * Counts the grades of runs for lists. The database counts them, because a run may have hundreds of
 * sessions.
 */
import {
  type JourneyCriterion,
  type JourneyRunError,
  type JourneyRunStatus,
  type JudgedSessions,
  type RunGrades,
  runGradesOf,
  type StoredGradeCounts,
  type UngradedSessions,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';

export interface GradesOfRun {
  /** Undefined if the run has no criteria. */
  readonly grades: RunGrades | undefined;
  readonly goalCompletion: JudgedSessions | null;
}

export async function readGradesOfRuns(
  sql: Sql,
  runIds: readonly string[],
): Promise<Map<string, GradesOfRun>> {
  const [runs, counts, ungraded] = await Promise.all([
    sql<{ id: string; total: number; rubric: string }[]>`
      select id, total, rubric from journey_runs where id = any (${runIds})`,
    countGradesOfRuns(sql, runIds),
    countUngradedOfRuns(sql, runIds),
  ]);
  return new Map(
    runs.map(({ id, total, rubric }) => [
      id,
      {
        grades: runGradesOf(
          readRecords(rubric) as unknown as JourneyCriterion[],
          counts.get(id),
          total,
          ungraded.get(id) ?? [],
        ),
        goalCompletion: counts.get(id)?.judged ?? null,
      },
    ]),
  );
}

export interface GradeCounts extends StoredGradeCounts {
  readonly judged: JudgedSessions | null;
}

/**
 * Returns the grade counts by run. A run without sessions is absent. Single criteria are read only
 * for failing sessions, because a passing session met all gating criteria.
 */
export async function countGradesOfRuns(
  sql: Sql,
  runIds: readonly string[],
): Promise<Map<string, GradeCounts>> {
  const [counts, met] = await Promise.all([
    sql<CountRow[]>`
      select run_id, (count(*) filter (where grading_status = 'completed'))::integer as graded,
        (count(*) filter (where grading_status = 'completed' and result = 'failed'))::integer as failing,
        (count(*) filter (where grading_status = 'pending'))::integer as pending,
        (count(*) filter (where grading_status = 'failed'))::integer as failed,
        (count(distinct (target_id, coalesce(transcript_hash, id))) filter (where grading_status = 'completed'))::integer as distinct_count,
        count(score)::integer as asked,
        (count(*) filter (where score ->> 'status' = 'completed'))::integer as judged,
        (count(*) filter (where score ->> 'status' = 'completed' and (score ->> 'passed')::boolean))::integer as passed,
        (count(*) filter (where score ->> 'status' = 'pending'))::integer as judge_pending,
        (count(*) filter (where score ->> 'status' = 'failed'))::integer as judge_failed,
        avg((score ->> 'score')::double precision) filter (where score ->> 'status' = 'completed') as avg_score
      from swarm_sessions, lateral (select goal_score::jsonb as score) judged
      where run_id = any (${runIds}) group by run_id`,
    sql<{ runId: string; criterionId: string; met: number }[]>`
      select run_id, grade ->> 'criterionId' as criterion_id, count(*)::integer as met
      from swarm_sessions, jsonb_array_elements(criteria::jsonb) grade
      where run_id = any (${runIds}) and grading_status = 'completed'
        and result = 'failed' and (grade ->> 'passed')::boolean
      group by run_id, criterion_id`,
  ]);
  return new Map(
    counts.map(({ runId, graded, failing, pending, failed, distinctCount, ...rest }) => [
      runId,
      {
        graded,
        failing,
        pending,
        failed,
        distinct: distinctCount,
        met: new Map(
          met.flatMap((one) => (one.runId === runId ? [[one.criterionId, one.met]] : [])),
        ),
        judged: rest.asked === 0 ? null : judgedOf(rest),
      },
    ]),
  );
}

async function countUngradedOfRuns(
  sql: Sql,
  runIds: readonly string[],
): Promise<Map<string, UngradedSessions[]>> {
  const rows = await sql<(UngradedSessions & { runId: string })[]>`
    select attempt.run_id, status, error_code, least(begun, 1) as begun, count(*)::integer as sessions
    from journey_attempts attempt left join swarm_sessions on swarm_sessions.id = session_id
    where attempt.run_id = any (${runIds}) and grading_status is null
    group by attempt.run_id, status, error_code, least(begun, 1)`;
  const byRun = new Map<string, UngradedSessions[]>();
  for (const { runId, ...alike } of rows) {
    byRun.set(runId, [...(byRun.get(runId) ?? []), alike]);
  }
  return byRun;
}

export interface LatestRunOfJourney {
  readonly id: string;
  readonly journeyId: string;
  readonly status: JourneyRunStatus;
  readonly error: JourneyRunError | null;
  readonly createdAt: Date;
  readonly personaModel: string;
}

/** A journey without runs is left out. */
export async function listLatestRuns(
  sql: Sql,
  journeyIds: readonly string[],
): Promise<LatestRunOfJourney[]> {
  return sql<LatestRunOfJourney[]>`
    select run.* from unnest(${journeyIds}::text[]) as wanted (journey_id), lateral (
      select id, journey_id, status, error, created_at, persona_model from journey_runs
      where journey_runs.journey_id = wanted.journey_id order by created_at desc, id desc limit 1) run`;
}

interface CountRow extends JudgedRow {
  readonly runId: string;
  readonly graded: number;
  readonly failing: number;
  readonly pending: number;
  readonly failed: number;
  readonly distinctCount: number;
}

interface JudgedRow {
  readonly asked: number;
  readonly judged: number;
  readonly passed: number;
  readonly judgePending: number;
  readonly judgeFailed: number;
  readonly avgScore: number | null;
}

function judgedOf({
  judged,
  passed,
  avgScore,
  judgePending,
  judgeFailed,
}: JudgedRow): JudgedSessions {
  return {
    gradedCount: judged,
    passedCount: passed,
    avgScore,
    pendingCount: judgePending,
    failedCount: judgeFailed,
  };
}
