/** Inserts journey runs with ended sessions as a worker would store them. */

import { randomBytes } from 'node:crypto';
import {
  type AttemptErrorCode,
  attemptEnds,
  chainOfUngraded,
  type JourneySnapshot,
  makeId,
  measureRubric,
  type ScriptedIntent,
  type SessionEvidence,
} from '@proofmark/domain';
import { insertJourneyRun } from '../../server/src/features/swarms/store/journey-runs.ts';
import { addGradingWork } from '../../server/src/features/swarms/store/journey-work.ts';
import { followEndOfRun } from '../../server/src/features/swarms/store/waves.ts';
import { sessionEvidenceOf, snapshotOf } from './any-sessions.ts';
import type { TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export interface StoredSessionToWrite {
  /** The error that ended the session; absent if all turns were played. */
  readonly errorCode?: AttemptErrorCode;
  readonly begun?: number;
  readonly evidence?: SessionEvidence;
  /** The evidence as stored text. A session with invalid JSON cannot be graded. */
  readonly evidenceText?: string;
  readonly messages?: readonly unknown[];
  readonly prompts?: readonly string[];
  readonly spans?: readonly unknown[];
  readonly intents?: readonly ScriptedIntent[];
  readonly transcriptHash?: string;
}

export interface RunToStore {
  readonly waveId: string;
  readonly snapshot?: Partial<JourneySnapshot>;
  readonly sessions: readonly StoredSessionToWrite[];
  readonly isRunning?: boolean;
}

export interface StoredRun {
  readonly runId: string;
  readonly sessionIds: readonly string[];
}

export const target: JourneySnapshot['targets'][number] = {
  targetId: 'environment:env_1',
  hostId: 'cli_1',
  hostName: 'Client',
  modelId: 'proofmark/lexical-1',
  environmentRef: { id: 'env_1', name: 'Test', revision: 1 },
  client: { configId: 'cfg', config: {} as never },
  servers: [],
  skills: [],
};

function newId(kind: Parameters<typeof makeId>[0]): string {
  return makeId(kind, Date.now(), randomBytes(10));
}

export async function storeRun(
  service: Pick<TestService, 'database'>,
  tenant: Tenant,
  { waveId, snapshot: more, sessions, isRunning = false }: RunToStore,
): Promise<StoredRun> {
  const { organizationId, projectId, accountId } = tenant;
  const runId = newId('journeyRun');
  const snapshot = snapshotOf({ targets: [target], sessionsPerTarget: sessions.length, ...more });
  const sessionIds = sessions.map(() => newId('chatSession'));
  await service.database.tenant([organizationId], async (sql) => {
    await insertJourneyRun(sql, {
      id: runId,
      organizationId,
      projectId,
      waveId,
      snapshot,
      source: 'api',
      idempotencyKey: null,
      requestHash: null,
      requestedBy: accountId,
    });
    await sql`
      insert into journey_run_snapshots (run_id, organization_id, snapshot)
      values (${runId}, ${organizationId}, ${JSON.stringify(snapshot)})`;
    const counts = { succeeded: 0, failed: 0, rate_limited: 0 };
    for (const [ordinal, session] of sessions.entries()) {
      const id = sessionIds[ordinal] as string;
      const { errorCode } = session;
      const status = errorCode === undefined ? 'succeeded' : attemptEnds[errorCode].status;
      counts[status] += 1;
      await endAttempt(sql, tenant, { id, runId, ordinal, status, session, snapshot });
    }
    const { succeeded, failed, rate_limited } = counts;
    const status = isRunning ? 'running' : endOfRun(succeeded, sessions.length);
    await sql`
      update journey_runs set status = ${status}, succeeded = ${succeeded}, failed = ${failed},
        rate_limited = ${rate_limited}
      where id = ${runId}`;
    if (!isRunning) await followEndOfRun(sql, runId);
  });
  return { runId, sessionIds };
}

function endOfRun(succeeded: number, sessions: number): string {
  if (succeeded === sessions) return 'completed';
  return succeeded > 0 ? 'partial' : 'failed';
}

type Sql = Parameters<typeof followEndOfRun>[0];

interface EndedAttempt {
  readonly id: string;
  readonly runId: string;
  readonly ordinal: number;
  readonly status: string;
  readonly session: StoredSessionToWrite;
  readonly snapshot: JourneySnapshot;
}

async function endAttempt(sql: Sql, tenant: Tenant, attempt: EndedAttempt): Promise<void> {
  const { id, runId, ordinal, status, session } = attempt;
  const { errorCode, begun = 1 } = session;
  await sql`
    update journey_attempts set status = ${status}, error_code = ${errorCode ?? null}, begun = ${begun},
      session_id = ${begun === 0 ? null : id}
    where run_id = ${runId} and ordinal = ${ordinal}`;
  if (begun > 0) await writeSession(sql, tenant, attempt);
  if (needsGrading(attempt)) await addGradingWork(sql, tenant, id);
}

function needsGrading({ session, snapshot }: EndedAttempt): boolean {
  return session.errorCode === undefined && snapshot.rubric.length > 0;
}

async function writeSession(
  sql: Sql,
  { organizationId, projectId }: Tenant,
  attempt: EndedAttempt,
): Promise<void> {
  const { id, runId, ordinal, status, session, snapshot } = attempt;
  const { errorCode, transcriptHash = id } = session;
  const on = snapshot.targets[0] ?? target;
  const evidence =
    session.evidence ??
    (errorCode === undefined
      ? sessionEvidenceOf()
      : sessionEvidenceOf({ end: { kind: 'notPlayed', errorCode } }));
  const isGraded = needsGrading(attempt);
  const measured = isGraded ? measureRubric(snapshot.rubric, evidence, engines) : undefined;
  await sql`
    insert into swarm_sessions ${sql({
      id,
      organization_id: organizationId,
      project_id: projectId,
      run_id: runId,
      ordinal,
      journey_id: snapshot.journey.id,
      chat_session_id: `synth_${id}`,
      target_id: on.targetId,
      host_id: on.hostId,
      session_index: ordinal,
      persona_id: snapshot.persona.id,
      persona_label: snapshot.persona.name,
      persona_model: snapshot.personaModel,
      model_id: on.modelId,
      outcome: status,
      message_count: errorCode === undefined ? 2 : 0,
      transcript_hash: transcriptHash,
      grading_status: isGraded ? 'pending' : null,
      evidence: session.evidenceText ?? JSON.stringify({ ...evidence, measured }),
      intents: session.intents ? JSON.stringify(session.intents) : null,
      chain: isGraded ? null : JSON.stringify(chainOfUngraded(evidence, snapshot)),
    })}`;
  const { messages = [], spans = [] } = session;
  const prompts = (session.prompts ?? []).map((prompt, promptIndex) => ({ promptIndex, prompt }));
  const trace = { traceVersion: 1, messages, spans, prompts, steps: [], toolSurface: null };
  await sql`
    insert into swarm_traces (session_id, organization_id, trace)
    values (${id}, ${organizationId}, ${JSON.stringify(trace)})`;
}

/** Dummies, because the stored sessions use no patterns or schemas. */
const engines = {
  patterns: { test: () => false },
  schemas: { check: () => ({ state: 'valid' as const }) },
} as const;
