/**
 * Reads the sessions of a wave for detectors. Traces are large, so the caller should request a few
 * at a time.
 */
import {
  type AttemptStatus,
  healthOfTargets,
  type JourneySnapshot,
  mostMinedSessions,
  type SessionToAnalyze,
  subjectOfTarget,
  type TargetHealth,
  type TokenUsage,
  tokensUsed,
  type WaveCounts,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import { readCriteria, readEvidence, readGoalScore } from './graded-sessions.ts';
import { findJourneySnapshot } from './journey-snapshots.ts';
import type { PlaceOfWave } from './waves.ts';

type Wave = Pick<PlaceOfWave, 'projectId' | 'waveId'>;

export async function countSessionsOfWave(sql: Sql, wave: Wave): Promise<WaveCounts> {
  const [row] = await sql<WaveCounts[]>`
    select count(*)::integer as total, (count(*) filter (where attempt.status = 'succeeded'))::integer as played,
      (count(*) filter (where grading_status = 'completed'))::integer as graded
    from journey_runs join journey_attempts attempt on attempt.run_id = journey_runs.id
      left join swarm_sessions on swarm_sessions.id = session_id
    where journey_runs.project_id = ${wave.projectId} and wave_id = ${wave.waveId}`;
  return row ?? { total: 0, played: 0, graded: 0 };
}

/** Deleted sessions are absent from the map. */
export async function findRunsOfSessions(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; runId: string }[]>`
    select id, run_id from swarm_sessions where id = any (${ids})`;
  return new Map(rows.map(({ id, runId }) => [id, runId]));
}

/** Returns the ids of the newest sessions that were played to their end, oldest first. */
export async function listPlayedSessions(sql: Sql, wave: Wave): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select session.id from journey_runs join swarm_sessions session on session.run_id = journey_runs.id
    where journey_runs.project_id = ${wave.projectId} and wave_id = ${wave.waveId} and outcome = 'succeeded'
    order by session.started_at desc, session.id desc limit ${mostMinedSessions}`;
  return rows.map(({ id }) => id).reverse();
}

/** Unreadable snapshots are left out of the map. */
export async function readSnapshotsOfWave(
  sql: Sql,
  wave: Wave,
): Promise<Map<string, JourneySnapshot>> {
  const runs = await sql<{ id: string }[]>`
    select id from journey_runs where project_id = ${wave.projectId} and wave_id = ${wave.waveId}
    order by created_at, id`;
  const snapshots = new Map<string, JourneySnapshot>();
  for (const { id } of runs) {
    const snapshot = await findJourneySnapshot(sql, id);
    if (snapshot !== undefined) snapshots.set(id, snapshot);
  }
  return snapshots;
}

export interface ReadSession extends Omit<SessionToAnalyze, 'order' | 'snapshot'> {
  readonly messages: readonly unknown[];
  readonly toolSurfaceHash: string | null;
}

export async function readSessionsToAnalyze(
  sql: Sql,
  ids: readonly string[],
): Promise<ReadSession[]> {
  const rows = await sql<SessionRow[]>`
    select id, run_id, target_id, evidence, chain, grading_status, result, criteria, goal_score, usage, trace
    from swarm_sessions left join swarm_traces on session_id = id
    where id = any (${ids})`;
  return rows.map((row) => {
    const { messages, spans, toolSurface } = readRecord(row.trace) ?? {};
    const hash = toolSurface !== null && typeof toolSurface === 'object' && 'hash' in toolSurface;
    return {
      id: row.id,
      runId: row.runId,
      targetId: row.targetId,
      result: row.result,
      evidence: readEvidence(row.evidence),
      chain: row.chain === null ? undefined : (readRecord(row.chain) ?? { stageResults: null }),
      grading: row.gradingStatus,
      criteria: readCriteria(row.criteria),
      goalScore: readGoalScore(row.goalScore),
      tokensUsed: tokensUsed((readDocument(row.usage) as TokenUsage | undefined) ?? null),
      spans: Array.isArray(spans) ? spans : [],
      messages: Array.isArray(messages) ? messages : [],
      toolSurfaceHash: hash ? String(toolSurface.hash) : null,
    };
  });
}

interface SessionRow {
  readonly id: string;
  readonly runId: string;
  readonly targetId: string;
  readonly evidence: string | null;
  readonly chain: string | null;
  readonly gradingStatus: SessionToAnalyze['grading'];
  readonly result: SessionToAnalyze['result'];
  readonly criteria: string | null;
  readonly goalScore: string | null;
  readonly usage: string | null;
  readonly trace: string | null;
}

/**
 * Counts by target how the sessions ended. The counts describe the runs and never become a finding
 * about a server.
 */
export async function readHealthOfWave(
  sql: Sql,
  wave: Wave,
  snapshots: ReadonlyMap<string, JourneySnapshot>,
): Promise<TargetHealth[]> {
  const rows = await sql<AttemptRow[]>`
    select run_id, target_id, attempt.status, begun
    from journey_runs join journey_attempts attempt on attempt.run_id = journey_runs.id
    where journey_runs.project_id = ${wave.projectId} and wave_id = ${wave.waveId}
    order by journey_runs.created_at, run_id, ordinal`;
  return healthOfTargets(
    rows.map(({ runId, targetId, status, begun }) => {
      const targets = snapshots.get(runId)?.targets ?? [];
      const target = targets.find((one) => one.targetId === targetId);
      return { target: subjectOfTarget(target, targetId), status, begun };
    }),
  );
}

interface AttemptRow {
  readonly runId: string;
  readonly targetId: string;
  readonly status: AttemptStatus;
  readonly begun: number;
}
