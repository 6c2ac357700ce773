/**
 * A wave is all runs of a project with the same wave id. Every transaction that ends a run, a
 * grading or a judgment checks whether the wave has open work left. These checks are serialized, so
 * that the last transaction starts the mining.
 */
import {
  type DetectedMaterial,
  type GoalScore,
  isTerminalWave,
  type JourneyRunStatus,
  type TargetHealth,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { addWork, type ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import { findJourneySnapshot } from './journey-snapshots.ts';

export const waveMiningWork = 'wave-mining';
export const journeyJudgementsWork = 'journey-judgements';

export interface PlaceOfWave {
  readonly organizationId: string;
  readonly projectId: string;
  readonly waveId: string;
}

export interface RunOfWave {
  readonly id: string;
  readonly journeyId: string;
  readonly status: JourneyRunStatus;
  readonly canceled: boolean;
  readonly stale: boolean;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rateLimited: number;
  readonly createdAt: Date;
  readonly pendingGradings: number;
  readonly sessionsGraded: number;
}

export async function listRunsOfWave(
  sql: Sql,
  { projectId, waveId }: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<RunOfWave[]> {
  return sql<RunOfWave[]>`
    select id, journey_id, status, canceled, stale, total, succeeded, failed, rate_limited, created_at,
      (select count(*)::integer from swarm_sessions
        where run_id = journey_runs.id and grading_status = 'pending') as pending_gradings,
      (select count(*)::integer from swarm_sessions
        where run_id = journey_runs.id and grading_status = 'completed') as sessions_graded
    from journey_runs where project_id = ${projectId} and wave_id = ${waveId} order by created_at, id`;
}

export async function countRunsOfWave(
  sql: Sql,
  { projectId, waveId }: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from journey_runs where project_id = ${projectId} and wave_id = ${waveId}`;
  return row?.count ?? 0;
}

/**
 * Must be called in the transaction that ends a run. It queues the run's judge, and the mining if
 * the wave has ended. The caller must hold the lock of the run.
 */
export async function followEndOfRun(sql: Sql, runId: string): Promise<void> {
  const run = await findWaveOfRun(sql, runId);
  if (run === undefined) return;
  const judge = (await findJourneySnapshot(sql, runId))?.judge ?? null;
  if (judge !== null) await askJudge(sql, run, runId, judge);
  await settleWave(sql, run);
}

async function findWaveOfRun(sql: Sql, runId: string): Promise<PlaceOfWave | undefined> {
  const [run] = await sql<PlaceOfWave[]>`
    select organization_id, project_id, wave_id from journey_runs where id = ${runId}`;
  return run;
}

const judgedTogether = 5;
const judgedAtOnce = 4;

async function askJudge(
  sql: Sql,
  { organizationId, projectId }: PlaceOfWave,
  runId: string,
  judge: { readonly model: string; readonly threshold: number },
): Promise<void> {
  const pending: GoalScore = {
    status: 'pending',
    score: null,
    passed: null,
    reason: null,
    threshold: judge.threshold,
    judgeModel: judge.model,
  };
  const played = await sql<{ ordinal: number }[]>`
    update swarm_sessions set goal_score = ${JSON.stringify(pending)}
    where run_id = ${runId} and outcome = 'succeeded' returning ordinal`;
  const ordinals = played.map(({ ordinal }) => ordinal).sort((one, other) => one - other);
  const ranges = [];
  for (let from = 0; from < ordinals.length; from += judgedTogether) {
    const some = ordinals.slice(from, from + judgedTogether);
    ranges.push({ firstItem: some[0] ?? 0, lastItem: some.at(-1) ?? 0 });
  }
  if (ranges.length === 0) return;
  const group = { kind: journeyJudgementsWork, id: runId, organizationId, projectId };
  await addWork(sql, { ...group, atOnce: judgedAtOnce }, ranges);
}

export async function settleWaveOf(sql: Sql, runId: string): Promise<void> {
  const wave = await findWaveOfRun(sql, runId);
  if (wave !== undefined) await settleWave(sql, wave);
}

/**
 * Queues the mining of a wave if the wave has no open work. Call this last in a transaction,
 * because its lock is held until the commit and blocks other transactions of the wave.
 */
export async function settleWave(sql: Sql, place: PlaceOfWave): Promise<void> {
  const { organizationId, projectId, waveId } = place;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wave ${projectId}/${waveId}`}, 0))`;
  if (!isTerminalWave(await listRunsOfWave(sql, place))) return;
  const group = { kind: waveMiningWork, id: groupOf(place), organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, [{ firstItem: 1, lastItem: 1 }]);
}

export async function isWaveToBeMined(
  sql: Sql,
  place: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<boolean> {
  const open = await sql`
    select from leased_work
    where kind = ${waveMiningWork} and group_id = ${groupOf(place)} and status <> 'done'`;
  return open.count > 0;
}

/**
 * Takes an advisory lock until the transaction ends, so that only one transaction at a time changes
 * the findings of a project.
 */
export async function lockFindings(sql: Sql, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`findings ${projectId}`}, 0))`;
}

function groupOf({ projectId, waveId }: Pick<PlaceOfWave, 'projectId' | 'waveId'>): string {
  return `${projectId}/${waveId}`;
}

export function waveOfWork({ organizationId, projectId, groupId }: ClaimedWork): PlaceOfWave {
  return { organizationId, projectId, waveId: groupId.slice(projectId.length + 1) };
}

/** Insights have no project column, so the scope id of a wave contains the project id. */
export function scopeOfWave(place: Pick<PlaceOfWave, 'projectId' | 'waveId'>): string {
  return groupOf(place);
}

export function waveOfScope(scopeId: string): Pick<PlaceOfWave, 'projectId' | 'waveId'> {
  const slash = scopeId.indexOf('/');
  return { projectId: scopeId.slice(0, slash), waveId: scopeId.slice(slash + 1) };
}

export interface MinedResult {
  readonly runHealth: readonly TargetHealth[];
  readonly material: DetectedMaterial;
  /** The fingerprints of all candidates that any mining of the wave counted. */
  readonly counted: readonly string[];
  /**
   * Set if a later mining of the wave was abandoned. Runs that joined since this result was stored
   * are then missing from it.
   */
  readonly isGivenUp?: true;
}

export async function findMinedResult(
  sql: Sql,
  { projectId, waveId }: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<(MinedResult & { readonly minedAt: Date }) | undefined> {
  const [row] = await sql<{ minedAt: Date; result: string }[]>`
    select mined_at, result from waves where project_id = ${projectId} and id = ${waveId}`;
  const stored = row && readRecord(row.result);
  if (row === undefined || !Array.isArray(stored?.['counted'])) return undefined;
  return { ...(stored as unknown as MinedResult), minedAt: row.minedAt };
}

/**
 * Marks the mining as abandoned. The earlier result stays readable until another mining completes
 * and replaces it.
 */
export async function markMiningGivenUp(
  sql: Sql,
  wave: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<void> {
  const found = await findMinedResult(sql, wave);
  if (found === undefined) return;
  const { minedAt: _, ...result } = found;
  await sql`
    update waves set result = ${JSON.stringify({ ...result, isGivenUp: true })}
    where project_id = ${wave.projectId} and id = ${wave.waveId}`;
}

export async function writeMinedResult(
  sql: Sql,
  { organizationId, projectId, waveId }: PlaceOfWave,
  result: MinedResult,
): Promise<void> {
  await sql`
    insert into waves (project_id, id, organization_id, mined_at, result)
    values (${projectId}, ${waveId}, ${organizationId}, clock_timestamp(), ${JSON.stringify(result)})
    on conflict (project_id, id) do update set mined_at = excluded.mined_at, result = excluded.result`;
}
