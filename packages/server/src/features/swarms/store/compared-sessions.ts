import { type ComparedSession, mostComparedSessions } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readCriteria } from './graded-sessions.ts';
import { readSnapshotsOfWave } from './wave-sessions.ts';
import type { PlaceOfWave } from './waves.ts';

/**
 * Reads a limited number of the newest graded sessions of a wave. Lists them oldest first, each
 * with the criteria of its run.
 */
export async function listComparedSessions(
  sql: Sql,
  wave: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<{ readonly sessions: ComparedSession[]; readonly truncated: boolean }> {
  const snapshots = await readSnapshotsOfWave(sql, wave);
  const rows = await sql<GradedRow[]>`
    select run_id, session.journey_id, target_id, criteria, transcript_hash
    from journey_runs join swarm_sessions session on session.run_id = journey_runs.id
    where journey_runs.project_id = ${wave.projectId} and wave_id = ${wave.waveId} and grading_status = 'completed'
    order by session.started_at desc, session.id desc limit ${mostComparedSessions + 1}`;
  const newest = rows.slice(0, mostComparedSessions).reverse();
  const sessions = newest.flatMap(({ runId, criteria, ...row }) => {
    const snapshot = snapshots.get(runId);
    if (snapshot === undefined) return [];
    const { goal, persona, personaModel, rubric } = snapshot;
    return [{ ...row, goal, persona, personaModel, rubric, criteria: readCriteria(criteria) }];
  });
  return { sessions, truncated: rows.length > mostComparedSessions };
}

interface GradedRow {
  readonly runId: string;
  readonly journeyId: string;
  readonly targetId: string;
  readonly criteria: string | null;
  readonly transcriptHash: string | null;
}
