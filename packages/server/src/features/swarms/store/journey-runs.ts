/** All attempts of a run are created at the launch. */
import {
  type AttemptErrorCode,
  type AttemptStatus,
  cutPage,
  type JourneyRunError,
  type JourneyRunStatus,
  type JourneySnapshot,
  type Page,
  type PageRequest,
  placeOfAttempt,
} from '@proofmark/domain';
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument } from '../../../platform/database/read-document.ts';
import { isLeft } from './journey-work.ts';

export interface StoredJourneyRun {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly journeyId: string;
  readonly waveId: string;
  readonly status: JourneyRunStatus;
  readonly canceled: boolean;
  readonly stale: boolean;
  readonly error: JourneyRunError | null;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rateLimited: number;
  readonly journeyName: string;
  readonly personaId: string;
  readonly personaName: string;
  readonly personaRole: string;
  readonly personaModel: string;
  readonly hasRubric: boolean;
  readonly targets: readonly ListedTarget[];
  readonly source: 'api' | 'ui';
  readonly isSample: boolean;
  readonly requestHash: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly heartbeatAt: Date | null;
  /** Whether no worker has reported work on the run for 150 seconds. */
  readonly isSilent: boolean;
  readonly isOverdue: boolean;
}

export interface ListedTarget {
  readonly targetId: string;
  readonly hostId: string;
  readonly hostName: string;
  readonly modelId: string;
  readonly environmentId: string | null;
  readonly environmentName: string | null;
  readonly environmentRevision: number | null;
}

export interface StoredAttempt {
  readonly ordinal: number;
  readonly targetId: string;
  readonly sessionIndex: number;
  readonly status: AttemptStatus;
  readonly errorCode: AttemptErrorCode | null;
  readonly errorMessage: string | null;
  readonly begun: number;
  readonly sessionId: string | null;
  readonly chatSessionId: string | null;
}

export interface JourneyRunToWrite {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly waveId: string;
  readonly snapshot: JourneySnapshot;
  readonly source: 'api' | 'ui';
  readonly isSample?: boolean;
  readonly idempotencyKey: string | null;
  readonly requestHash: string | null;
  readonly requestedBy: string;
}

const columnsOfAttempts = columnsOfRows<{
  readonly ordinal: number;
  readonly targetId: string;
  readonly sessionIndex: number;
}>([
  { name: 'ordinal', type: 'integer', of: (one) => one.ordinal },
  { name: 'target_id', type: 'text', of: (one) => one.targetId },
  { name: 'session_index', type: 'integer', of: (one) => one.sessionIndex },
]);

export async function insertJourneyRun(sql: Sql, run: JourneyRunToWrite): Promise<void> {
  const { snapshot } = run;
  const { journey, persona, personaModel, limits } = snapshot;
  const total = snapshot.targets.length * snapshot.sessionsPerTarget;
  const attempts = Array.from({ length: total }, (_, ordinal) => {
    const place = placeOfAttempt(snapshot, ordinal);
    const { target, sessionIndex = 0 } = place ?? {};
    return { ordinal, targetId: target?.targetId ?? '', sessionIndex };
  });
  await sql`
    insert into journey_runs (id, organization_id, project_id, journey_id, wave_id, total, journey_name, persona_id,
      persona_name, persona_role, persona_model, has_rubric, rubric, targets, source, is_sample, idempotency_key, request_hash,
      requested_by, deadline_at)
    values (${run.id}, ${run.organizationId}, ${run.projectId}, ${journey.id}, ${run.waveId}, ${total}, ${journey.name},
      ${persona.id}, ${persona.name}, ${persona.role}, ${personaModel}, ${snapshot.rubric.length > 0},
      ${JSON.stringify(snapshot.rubric)}, ${JSON.stringify(listedTargets(snapshot))}, ${run.source}, ${run.isSample === true}, ${run.idempotencyKey}, ${run.requestHash},
      ${run.requestedBy}, clock_timestamp() + make_interval(secs => ${limits.journeyRunTimeoutMs / 1000}))`;
  await sql`
    insert into journey_attempts (run_id, organization_id, ${columnsOfAttempts.names})
    select ${run.id}, ${run.organizationId}, ${columnsOfAttempts.names} from ${columnsOfAttempts.of(attempts)} attempts`;
}

function listedTargets({ targets }: JourneySnapshot): ListedTarget[] {
  return targets.map(({ targetId, hostId, hostName, modelId, environmentRef }) => ({
    targetId,
    hostId,
    hostName,
    modelId,
    environmentId: environmentRef?.id ?? null,
    environmentName: environmentRef?.name ?? null,
    environmentRevision: environmentRef?.revision ?? null,
  }));
}

export async function readJourneyRun(
  sql: Sql,
  projectId: string,
  runId: string,
  lock: 'forUpdate' | 'unlocked' = 'unlocked',
): Promise<StoredJourneyRun | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from journey_runs where id = ${runId} and project_id = ${projectId}
    ${lock === 'forUpdate' ? sql`for no key update` : sql``}`;
  return row && runOfRow(row);
}

export async function findJourneyRunByKey(
  sql: Sql,
  organizationId: string,
  journeyId: string,
  key: string,
): Promise<StoredJourneyRun | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from journey_runs
    where organization_id = ${organizationId} and journey_id = ${journeyId} and idempotency_key = ${key}`;
  return row && runOfRow(row);
}

export async function hasJourneyOrArchived(
  sql: Sql,
  projectId: string,
  journeyId: string,
): Promise<boolean> {
  const rows =
    await sql`select from journeys where id = ${journeyId} and project_id = ${projectId}`;
  return rows.length > 0;
}

export async function readJourneyRuns(
  sql: Sql,
  journeyId: string,
  { after, limit }: PageRequest,
): Promise<Page<StoredJourneyRun>> {
  const rows = await sql<RunRow[]>`
    select ${columns(sql)} from journey_runs where journey_id = ${journeyId}
      ${after ? sql`and (created_at, id) < (${new Date(after.order)}, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  return cutPage(rows.map(runOfRow), limit, ({ id, createdAt }) => ({
    order: createdAt.getTime(),
    id,
  }));
}

/**
 * Lists the attempts of a run by target, then by session index. A running attempt without a living
 * worker is shown as pending.
 */
export async function listAttempts(sql: Sql, runId: string): Promise<StoredAttempt[]> {
  return sql<StoredAttempt[]>`
    select attempt.ordinal, attempt.target_id, attempt.session_index, error_code, error_message, begun, session_id,
      chat_session_id, case when ${isLeft(sql)} then 'pending' else attempt.status end as status
    from journey_attempts attempt left join swarm_sessions on swarm_sessions.id = session_id
    where attempt.run_id = ${runId} order by attempt.ordinal`;
}

/** Lists the runs that are past their deadline, in all organizations. */
export async function listOverdueJourneyRuns(
  sql: Sql,
): Promise<{ organizationId: string; projectId: string; runId: string }[]> {
  return sql`select * from overdue_journey_runs()`;
}

export async function beatJourneyRun(sql: Sql, runId: string): Promise<void> {
  await sql`
    update journey_runs set heartbeat_at = clock_timestamp()
    where id = ${runId} and status = 'running' and heartbeat_at < clock_timestamp() - interval '9 seconds'`;
}

type RunRow = Omit<StoredJourneyRun, 'targets'> & { readonly targets: string };

function runOfRow({ targets, ...row }: RunRow): StoredJourneyRun {
  const read = readDocument(targets);
  return { ...row, targets: Array.isArray(read) ? (read as ListedTarget[]) : [] };
}

/**
 * Selects the columns of a run. A run is silent if its last worker heartbeat is over 150 seconds
 * old; without a heartbeat, the launch counts.
 */
function columns(sql: Sql): Fragment {
  return sql`id, organization_id, project_id, journey_id, wave_id, status, canceled, stale, error, total, succeeded,
    failed, rate_limited, journey_name, persona_id, persona_name, persona_role, persona_model, has_rubric, targets,
    source, is_sample, request_hash, created_at, started_at, completed_at, heartbeat_at,
    coalesce(heartbeat_at, created_at) < clock_timestamp() - interval '150 seconds' as is_silent,
    deadline_at < clock_timestamp() as is_overdue`;
}
