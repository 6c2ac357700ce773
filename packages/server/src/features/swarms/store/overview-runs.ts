import {
  type JourneyCriterion,
  type JourneyRunError,
  type JourneyRunStatus,
  overviewLimits,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';

export interface OverviewRow {
  readonly id: string;
  readonly journeyId: string;
  readonly waveId: string;
  readonly journeyName: string;
  readonly journeyArchived: boolean;
  readonly personaName: string;
  readonly status: JourneyRunStatus;
  readonly error: JourneyRunError | null;
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
      persona_name, status, error, total, succeeded, failed, rate_limited, run.created_at, targets,
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
