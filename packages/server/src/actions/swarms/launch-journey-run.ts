/**
 * Launches a run of a journey. A key that launched one before answers with that run, also where the journey was archived
 * since, and counts nothing. The rest is one transaction, and launches of one organization follow each other.
 */
import type { BodyOf, OutputOf } from '@proofmark/contract';
import { canonicalJson } from '@proofmark/domain';
import { sha256Hex } from '../../hashing/sha256-hex.ts';
import type { Sql } from '../../storage/database/database.ts';
import { lockLaunches } from '../../storage/eval-runs/launched-runs.ts';
import { pinServers } from '../../storage/eval-runs/pinned-servers.ts';
import {
  findJourneyRunByKey,
  insertJourneyRun,
  type StoredJourneyRun,
} from '../../storage/swarms/journey-runs.ts';
import { insertJourneySnapshot } from '../../storage/swarms/journey-snapshots.ts';
import { addSessionsWork } from '../../storage/swarms/journey-work.ts';
import { type Action, type ProjectContext, refuse } from '../action.ts';
import { launches } from '../eval-runs/launches.ts';
import { recordAudit } from '../record-audit.ts';
import { brake } from '../spending/brake.ts';
import { charge } from '../spending/charge.ts';
import { refuseWithoutCredits } from '../spending/refuse-without-credits.ts';
import { findJourney } from './find-journey.ts';
import { type PreparedJourneyRun, prepareJourneyRun } from './prepare-journey-run.ts';

type Launched = OutputOf<'launchJourneyRun'>;

interface LaunchRequest {
  readonly journeyId: string;
  readonly body: BodyOf<'launchJourneyRun'>;
  readonly idempotencyKey: string | undefined;
  readonly requestHash: string | null;
}

export const launchJourneyRun: Action<'launchJourneyRun'> = async (
  context,
  { params, body, idempotencyKey },
) => {
  const { organizationId, id: projectId } = context.project;
  const request: LaunchRequest = {
    ...{ journeyId: params.journeyId, body, idempotencyKey },
    requestHash: idempotencyKey === undefined ? null : sha256Hex(canonicalJson(body)),
  };
  const earlier = await context.tenant(async (sql) => {
    const replayed = await replay(sql, context, request);
    if (replayed === undefined) await findJourney(sql, projectId, params.journeyId);
    return replayed;
  });
  if (earlier !== undefined) return earlier;
  await brake(context, 'launch');
  return launches.run(
    organizationId,
    () => context.tenant((sql) => launch(sql, context, request)),
    { signal: context.signal },
  );
};

async function launch(
  sql: Sql,
  context: ProjectContext,
  request: LaunchRequest,
): Promise<Launched> {
  const { organizationId, id: projectId } = context.project;
  const { journeyId, body } = request;
  await lockLaunches(sql, organizationId);
  context.signal.throwIfAborted();
  const earlier = await replay(sql, context, request);
  if (earlier !== undefined) return earlier;
  // Held, so that what is archived meanwhile is archived after its launch.
  const journey = await findJourney(sql, projectId, journeyId, 'forShare');
  await charge(context, sql, 'journeyRunsPerDay');
  const prepared = await prepareJourneyRun(sql, context, journey, body.environmentIds);
  await refuseWithoutCredits(
    sql,
    organizationId,
    context.runLimits.creditsPerDay,
    prepared.unpriced,
  );
  const run = {
    ...{ id: context.newId('journeyRun'), organizationId, projectId },
    waveId: body.waveId ?? context.newId('wave'),
  };
  await write(sql, context, run, prepared, request);
  const { id, waveId } = run;
  return {
    id,
    journeyId,
    projectId,
    status: 'running',
    deduped: false,
    waveId,
    runStatus: 'running',
  };
}

async function write(
  sql: Sql,
  context: ProjectContext,
  run: Pick<StoredJourneyRun, 'id' | 'organizationId' | 'projectId' | 'waveId'>,
  { snapshot, providers }: PreparedJourneyRun,
  { journeyId, idempotencyKey, requestHash }: LaunchRequest,
): Promise<void> {
  const { vault } = context.database;
  const serverIds = snapshot.targets.flatMap(({ servers }) => servers.map(({ id }) => id));
  const servers = await pinServers(
    ...([sql, vault, run.projectId, [...new Set(serverIds)]] as const),
    (serverId) => context.stdioAddressOf(serverId),
  );
  if (servers === undefined) return refuse(serverDeleted);
  await insertJourneyRun(sql, {
    ...{ ...run, snapshot, idempotencyKey: idempotencyKey ?? null, requestHash },
    source: context.surface === 'console' ? 'ui' : 'api',
    requestedBy: context.caller.account.id,
  });
  await insertJourneySnapshot(sql, vault, run, snapshot, { servers, providers });
  await addSessionsWork(sql, { ...run, runId: run.id }, snapshot);
  const details = { sourceId: journeyId };
  await recordAudit(sql, context, { action: 'journeyRun.launched', subjectId: run.id, details });
}

const serverDeleted = {
  code: 'CONFLICT',
  message: 'A server was deleted while the run was launched; launch it again.',
  details: { reason: 'SERVER_NOT_FOUND' },
} as const;

async function replay(
  sql: Sql,
  { project }: ProjectContext,
  { journeyId, idempotencyKey, requestHash }: LaunchRequest,
): Promise<Launched | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const run = await findJourneyRunByKey(sql, project.organizationId, journeyId, idempotencyKey);
  if (run === undefined || run.projectId !== project.id) return undefined;
  if (run.requestHash !== requestHash) {
    return refuse({
      code: 'CONFLICT',
      message: 'This idempotency key launched another run; send the same request, or a new key.',
      details: { reason: 'IDEMPOTENCY_KEY_REUSED' },
    });
  }
  const { id, projectId, waveId, status: runStatus } = run;
  return { id, journeyId, projectId, status: 'running', deduped: true, waveId, runStatus };
}
