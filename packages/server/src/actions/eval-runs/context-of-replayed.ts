/**
 * Where a replay is played: in the environment and by the client of the run that it plays again, unless it names its own
 * or they are gone. Else models would be asked otherwise than recorded for no reason of the suite.
 */
import type { BodyOf } from '@proofmark/contract';
import type { Sql } from '../../storage/database/database.ts';
import { readClient } from '../../storage/environments/clients.ts';
import { readRun } from '../../storage/eval-runs/eval-runs.ts';
import { findRunPlan } from '../../storage/eval-runs/run-plans.ts';
import { readSuite } from '../../storage/eval-suites/eval-suites.ts';

type Choice = Pick<BodyOf<'createEvalRun'>, 'environmentId' | 'namedHostId'>;

export async function contextOfReplayed(
  sql: Sql,
  projectId: string,
  request: Partial<BodyOf<'createEvalRun'>>,
): Promise<Choice> {
  const { replay, suiteId = '', environmentId, namedHostId, serverIds } = request;
  if (replay === undefined || (environmentId ?? namedHostId ?? serverIds) !== undefined) return {};
  const run = await readRun(sql, projectId, replay.runId);
  // What is wrong with the run is refused with what else is.
  if (run === undefined || run.suiteId !== suiteId) return {};
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
