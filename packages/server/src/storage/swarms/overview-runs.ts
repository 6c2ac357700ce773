/** The newest runs of a project, with grades counted in the database: a run may have hundreds of sessions. */
import {
  type JourneyCriterion,
  type JourneyRunStatus,
  type JudgedSessions,
  overviewLimits,
} from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readRecords } from '../database/read-document.ts';

export interface OverviewRow {
  readonly id: string;
  readonly journeyId: string;
  readonly waveId: string;
  readonly journeyName: string;
  readonly journeyArchived: boolean;
  readonly personaName: string;
  readonly status: JourneyRunStatus;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rateLimited: number;
  readonly createdAt: Date;
  readonly targets: readonly Readonly<Record<string, unknown>>[];
  readonly rubric: readonly JourneyCriterion[];
}

export async function listOverviewRuns(sql: Sql, projectId: string): Promise<OverviewRow[]> {
  const rows = await sql<(Omit<OverviewRow, 'targets' | 'rubric'> & TextColumns)[]>`
    select run.id, run.journey_id, wave_id, journey_name, coalesce(archived_at is not null, true) as journey_archived,
      persona_name, status, total, succeeded, failed, rate_limited, run.created_at, targets,
      run.rubric
    from journey_runs run left join journeys on journeys.id = run.journey_id
    where run.project_id = ${projectId} order by run.created_at desc, run.id desc limit ${overviewLimits.read}`;
  return rows.map(({ targets, rubric, ...row }) => ({
    ...row,
    targets: readRecords(targets),
    rubric: readRecords(rubric) as unknown as JourneyCriterion[],
  }));
}

interface TextColumns {
  readonly targets: string;
  readonly rubric: string;
}

export interface GradeCounts {
  readonly graded: number;
  readonly pending: number;
  readonly failed: number;
  /** Of the graded sessions, those that failed a gating criterion. */
  readonly failing: number;
  /** How many of the failing ones met it, by criterion. */
  readonly met: ReadonlyMap<string, number>;
  readonly judged: JudgedSessions | null;
}

/** By run; one without a session has none. Criteria are read of failing sessions alone: the others met all that gate. */
export async function countGradesOfRuns(
  sql: Sql,
  runIds: readonly string[],
): Promise<Map<string, GradeCounts>> {
  const list = runIds.join();
  const [counts, met] = await Promise.all([
    sql<CountRow[]>`
      select run_id, (count(*) filter (where grading_status = 'completed'))::integer as graded,
        (count(*) filter (where grading_status = 'completed' and result = 'failed'))::integer as failing,
        (count(*) filter (where grading_status = 'pending'))::integer as pending,
        (count(*) filter (where grading_status = 'failed'))::integer as failed,
        count(said)::integer as asked,
        (count(*) filter (where said ->> 'status' = 'completed'))::integer as judged,
        (count(*) filter (where said ->> 'status' = 'completed' and (said ->> 'passed')::boolean))::integer as passed,
        (count(*) filter (where said ->> 'status' = 'pending'))::integer as judge_pending,
        (count(*) filter (where said ->> 'status' = 'failed'))::integer as judge_failed,
        avg((said ->> 'score')::double precision) filter (where said ->> 'status' = 'completed') as avg_score
      from swarm_sessions, lateral (select goal_score::jsonb as said) judged
      where run_id = any (string_to_array(${list}, ',')) group by run_id`,
    sql<{ runId: string; criterionId: string; met: number }[]>`
      select run_id, grade ->> 'criterionId' as criterion_id, count(*)::integer as met
      from swarm_sessions, jsonb_array_elements(criteria::jsonb) grade
      where run_id = any (string_to_array(${list}, ',')) and grading_status = 'completed'
        and result = 'failed' and (grade ->> 'passed')::boolean
      group by run_id, criterion_id`,
  ]);
  return new Map(
    counts.map(({ runId, graded, failing, pending, failed, ...said }) => [
      runId,
      {
        ...{ graded, failing, pending, failed },
        met: new Map(
          met.flatMap((one) => (one.runId === runId ? [[one.criterionId, one.met]] : [])),
        ),
        judged: said.asked === 0 ? null : judgedOf(said),
      },
    ]),
  );
}

interface CountRow extends JudgedRow {
  readonly runId: string;
  readonly graded: number;
  readonly failing: number;
  readonly pending: number;
  readonly failed: number;
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
    ...{ gradedCount: judged, passedCount: passed, avgScore },
    ...{ pendingCount: judgePending, failedCount: judgeFailed },
  };
}
