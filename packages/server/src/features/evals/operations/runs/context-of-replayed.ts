/**
 * Chooses the context of a replay: the recorded run's seed, and its environment or client if that
 * still exists. A request may name another context. Any other context would make model requests
 * differ from the recording for reasons outside the suite.
 */
import type { BodyOf } from '@proofmark/contract';
import type { Sql } from '../../../../platform/database/database.ts';
import { readClient } from '../../../clients/index.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';
import { readSuite } from '../../store/eval-suites.ts';
import { findRunPlan } from '../../store/run-plans.ts';

type Request = Partial<BodyOf<'createEvalRun'>>;
type Choice = Pick<Request, 'environmentId' | 'namedHostId' | 'seed'>;

export async function contextOfReplayed(
  sql: Sql,
  projectId: string,
  request: Request,
): Promise<Choice> {
  const { replay, suiteId = '' } = request;
  const run = replay && (await readRun(sql, projectId, replay.runId));
  // A later check rejects a run that cannot be replayed, so no context is needed.
  if (run === undefined || run.suiteId !== suiteId) return {};
  const place = await placeOf(sql, run, request);
  return { ...place, ...(request.seed === undefined && (await seedOf(sql, run))) };
}

async function placeOf(sql: Sql, run: StoredRun, request: Request): Promise<Choice> {
  const { environmentId, namedHostId, serverIds } = request;
  if ((environmentId ?? namedHostId ?? serverIds) !== undefined) return {};
  const { projectId, suiteId } = run;
  const { environment } = run.snapshot;
  const suite = await readSuite(sql, projectId, suiteId);
  if (environment !== null) {
    const isThere = suite?.environmentIds.includes(environment.id) === true;
    return isThere ? { environmentId: environment.id } : {};
  }
  const id = (await findRunPlan(sql, run.id))?.client.id;
  if (id === undefined || suite?.environmentIds.length !== 0) return {};
  return (await readClient(sql, projectId, id)) === undefined ? {} : { namedHostId: id };
}

/** If the run is itself a replay, its seed is that of the run whose recordings it played. */
async function seedOf(sql: Sql, { id, replay }: StoredRun): Promise<Choice> {
  const seed = (await findRunPlan(sql, replay?.runId ?? id))?.overrides?.seed;
  return seed === undefined ? {} : { seed };
}
