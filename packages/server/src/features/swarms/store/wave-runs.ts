/**
 * Reads the runs of a wave for its page with few queries, because a wave may have a hundred runs
 * and its page is refreshed often.
 */
import { isRecord, type JourneyCriterion, type JourneyRunError } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord, readRecords } from '../../../platform/database/read-document.ts';
import type { ListedTarget } from './journey-runs.ts';
import type { PlaceOfWave } from './waves.ts';

export interface DetailsOfRun {
  readonly error: JourneyRunError | null;
  readonly personaName: string;
  readonly personaModel: string;
  readonly judgeModel: string | null;
  readonly targets: readonly ListedTarget[];
  readonly rubric: readonly JourneyCriterion[];
}

/** If a run's snapshot is unreadable, its judge is unknown. */
export async function readDetailsOfRuns(
  sql: Sql,
  { projectId, waveId }: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<Map<string, DetailsOfRun>> {
  const rows = await sql<DetailsRow[]>`
    select id, error, persona_name, persona_model, targets, rubric, snapshot
    from journey_runs left join journey_run_snapshots on journey_run_snapshots.run_id = id
    where project_id = ${projectId} and wave_id = ${waveId}`;
  return new Map(
    rows.map(({ id, targets, rubric, snapshot, ...row }) => [
      id,
      {
        ...row,
        targets: readRecords(targets) as unknown as ListedTarget[],
        rubric: readRecords(rubric) as unknown as JourneyCriterion[],
        judgeModel: judgeOf(readRecord(snapshot)?.['judge']),
      },
    ]),
  );
}

function judgeOf(judge: unknown): string | null {
  return isRecord(judge) && typeof judge['model'] === 'string' ? judge['model'] : null;
}

type DetailsRow = Omit<DetailsOfRun, 'targets' | 'rubric' | 'judgeModel'> & {
  readonly id: string;
  readonly targets: string;
  readonly rubric: string;
  readonly snapshot: string | null;
};
