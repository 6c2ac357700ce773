/**
 * Launches a run of a journey. If the idempotency key already launched a run, that run is returned
 * and nothing is counted, even if the journey has been archived since. Everything else is one
 * transaction, and an organization's launches happen one after another.
 */

import type { BodyOf, OutputOf } from '@proofmark/contract';
import { canonicalJson, refuseFullWave } from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, refuse, refuseIf } from '../../../platform/operations/action.ts';
import { actorOf } from '../../../platform/operations/record-audit.ts';
import { brake } from '../../../platform/spending/brake.ts';
import { charge } from '../../../platform/spending/count-daily-use.ts';
import { refuseWithoutCredits } from '../../../platform/spending/refuse-without-credits.ts';
import { type EvalsParts, type EvalsProject, launches, lockLaunches } from '../../evals/index.ts';
import { findJourneyRunByKey } from '../store/journey-runs.ts';
import { countRunsOfWave } from '../store/waves.ts';
import { findJourney } from './find-journey.ts';
import { prepareJourneyRun } from './prepare-journey-run.ts';
import { writeJourneyRun } from './write-journey-run.ts';

type Launched = OutputOf<'launchJourneyRun'>;

interface LaunchRequest {
  readonly journeyId: string;
  readonly body: BodyOf<'launchJourneyRun'>;
  readonly idempotencyKey: string | undefined;
  readonly requestHash: string | null;
}

export const launchJourneyRun: Action<'launchJourneyRun', EvalsParts> = async (
  context,
  { params, body, idempotencyKey },
) => {
  const { organizationId, id: projectId } = context.project;
  const request: LaunchRequest = {
    journeyId: params.journeyId,
    body,
    idempotencyKey,
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

async function launch(sql: Sql, context: EvalsProject, request: LaunchRequest): Promise<Launched> {
  const { organizationId, id: projectId } = context.project;
  const { journeyId, body } = request;
  await lockLaunches(sql, organizationId);
  context.signal.throwIfAborted();
  const earlier = await replay(sql, context, request);
  if (earlier !== undefined) return earlier;
  // Locks the journey, so that it cannot be archived before the launch is committed.
  const journey = await findJourney(sql, projectId, journeyId, 'forShare');
  const { waveId: stated } = body;
  if (stated !== undefined) {
    refuseIf(refuseFullWave(await countRunsOfWave(sql, { projectId, waveId: stated })));
  }
  await charge(context, sql, 'journeyRunsPerDay');
  const prepared = await prepareJourneyRun(sql, context, journey, body.environmentIds);
  await refuseWithoutCredits(
    sql,
    organizationId,
    context.runLimits.creditsPerDay,
    prepared.unpriced,
  );
  const { id, waveId } = await writeJourneyRun(sql, context, prepared, {
    waveId: body.waveId,
    idempotencyKey: request.idempotencyKey ?? null,
    requestHash: request.requestHash,
    actor: actorOf(context.caller),
    source: context.surface === 'console' ? 'ui' : 'api',
    requestedBy: context.caller.account.id,
  });
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

async function replay(
  sql: Sql,
  { project }: EvalsProject,
  { journeyId, idempotencyKey, requestHash }: LaunchRequest,
): Promise<Launched | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const run = await findJourneyRunByKey(sql, project.organizationId, journeyId, idempotencyKey);
  if (run === undefined || run.projectId !== project.id) return undefined;
  if (run.requestHash !== requestHash) {
    return refuse({
      code: 'CONFLICT',
      message:
        'This idempotency key was already used for a different run request; send the same request again, or use a new key.',
      details: { reason: 'IDEMPOTENCY_KEY_REUSED' },
    });
  }
  const { id, projectId, waveId, status: runStatus } = run;
  return { id, journeyId, projectId, status: 'running', deduped: true, waveId, runStatus };
}
