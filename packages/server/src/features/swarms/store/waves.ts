/**
 * Waves: the runs of a project that share an id. Whoever ends a run, a grading or a judging of a wave asks whether
 * anything of it is left, one after the other; the last one has it mined.
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

/** Oldest first; empty where there is no such wave. */
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

/** After a run has ended: its judge is asked, and its wave may be over. The caller holds the run. */
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

/** So many sessions are judged by one worker at a time. */
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

/** The wave of this run, whoever of it came before. */
export async function settleWaveOf(sql: Sql, runId: string): Promise<void> {
  const wave = await findWaveOfRun(sql, runId);
  if (wave !== undefined) await settleWave(sql, wave);
}

/** Has the wave mined if nothing of it is left. Asked last in a transaction: others of the wave wait until it ends. */
export async function settleWave(sql: Sql, place: PlaceOfWave): Promise<void> {
  const { organizationId, projectId, waveId } = place;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wave ${projectId}/${waveId}`}, 0))`;
  if (!isTerminalWave(await listRunsOfWave(sql, place))) return;
  const group = { kind: waveMiningWork, id: groupOf(place), organizationId, projectId, atOnce: 1 };
  await addWork(sql, group, [{ firstItem: 1, lastItem: 1 }]);
}

/** Whether somebody mines it, or will. */
export async function isWaveToBeMined(
  sql: Sql,
  place: Pick<PlaceOfWave, 'projectId' | 'waveId'>,
): Promise<boolean> {
  const open = await sql`
    select from leased_work
    where kind = ${waveMiningWork} and group_id = ${groupOf(place)} and status <> 'done'`;
  return open.count > 0;
}

/** One wave of a project at a time changes its findings. */
export async function lockFindings(sql: Sql, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`findings ${projectId}`}, 0))`;
}

function groupOf({ projectId, waveId }: Pick<PlaceOfWave, 'projectId' | 'waveId'>): string {
  return `${projectId}/${waveId}`;
}

export function waveOfWork({ organizationId, projectId, groupId }: ClaimedWork): PlaceOfWave {
  return { organizationId, projectId, waveId: groupId.slice(projectId.length + 1) };
}

/** The id of a wave among the scopes of insights, which know no projects. */
export function scopeOfWave(place: Pick<PlaceOfWave, 'projectId' | 'waveId'>): string {
  return groupOf(place);
}

export function waveOfScope(scopeId: string): Pick<PlaceOfWave, 'projectId' | 'waveId'> {
  const slash = scopeId.indexOf('/');
  return { projectId: scopeId.slice(0, slash), waveId: scopeId.slice(slash + 1) };
}

/** What the last mining of a wave came to. */
export interface MinedResult {
  readonly runHealth: readonly TargetHealth[];
  readonly material: DetectedMaterial;
  /** All fingerprints that fired in any mining of it. */
  readonly counted: readonly string[];
  /** Whether a later mining was given up, so that this is of the runs before it. */
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

/** What was found before stays readable; a mining that comes to its end takes its place. */
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
