/**
 * Launches a suite on several targets as one group, which takes one slot. Each launch has an
 * idempotency key derived from the group. So a repeated request, even after a crash, launches only
 * the missing runs.
 */

import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  canonicalJson,
  chooseTargets,
  idOfTarget,
  outcomeOfGroup,
  Refused,
  type RunTarget,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findClientNames } from '../../../clients/index.ts';
import { findEnvironmentNames } from '../../../environments/index.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { leaveSlotToRuns } from '../../store/run-groups.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
import { launchRun } from './launch-run.ts';
import { openGroup } from './open-group.ts';
import type { LaunchRequest } from './plan-launch.ts';
import type { LaunchDependencies } from './prepared-launch.ts';
import { refuseOwnText } from './refuse-own-text.ts';

type Created = OutputOf<'createEvalRunGroup'>;
type TargetOfGroup = Created['targets'][number];

export const createEvalRunGroup: Action<'createEvalRunGroup', EvalsParts> = async (
  context,
  { body, idempotencyKey },
) => {
  refuseOwnText(context.caller.scope, body);
  const chosen = chooseTargets(body.targets);
  if ('refusal' in chosen) return refuse(chosen.refusal);
  const dependencies = launchDependenciesOf(context);
  const { targets: _named, idempotencyKey: keyOfBody, ...knobs } = body;
  const launches = chosen.targets.map(({ target, path }) => ({
    target,
    path,
    request: { ...knobs, ...target },
  }));
  const group = await openGroup(dependencies, launches, idempotencyKey ?? keyOfBody);
  const targets: TargetOfGroup[] = [];
  try {
    for (const { target, request } of launches) {
      targets.push(
        await launchTarget({ ...dependencies, group }, target, {
          ...request,
          runGroupId: group.id,
          idempotencyKey: sha256Hex(canonicalJson([group.id, idOfTarget(target)])),
        }),
      );
    }
  } finally {
    await context.tenant((sql) => leaveSlotToRuns(sql, group.id));
  }
  const names = await context.tenant((sql) =>
    namesOfTargets(sql, context.project.id, chosen.targets),
  );
  return present(
    group.id,
    body,
    targets.map((one) => named(one, names)),
  );
};

async function launchTarget(
  dependencies: LaunchDependencies,
  target: TargetOfGroup['target'],
  request: LaunchRequest,
): Promise<TargetOfGroup> {
  try {
    const run = await launchRun(dependencies, request);
    const { runId, deduped, servers, environment, caseUpsert } = run;
    return {
      target,
      status: 'started',
      runId,
      runStatus: run.status,
      ...(deduped === true && { deduped }),
      servers,
      environment,
      caseUpsert,
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message } = error.refusal;
    return { target, status: 'failed', error: { code, message } };
  }
}

function named(one: TargetOfGroup, names: ReadonlyMap<string, string>): TargetOfGroup {
  const name = names.get(idOfTarget(one.target));
  return name === undefined ? one : { ...one, target: { ...one.target, name } };
}

function present(
  runGroupId: string,
  { suiteId }: BodyOf<'createEvalRunGroup'>,
  targets: TargetOfGroup[],
): Created {
  const started = targets.filter(({ status }) => status === 'started');
  const failedCount = targets.length - started.length;
  const [first] = started;
  return {
    runGroupId,
    suiteId,
    outcome: outcomeOfGroup(started.length, failedCount),
    startedCount: started.length,
    failedCount,
    targets,
    ...(first && {
      runId: first.runId,
      status: first.runStatus,
      servers: first.servers,
      environment: first.environment,
      caseUpsert: first.caseUpsert,
    }),
  };
}

async function namesOfTargets(
  sql: Sql,
  projectId: string,
  chosen: readonly { readonly target: RunTarget }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = (kind: keyof RunTarget) => chosen.flatMap(({ target }) => target[kind] ?? []);
  const [environments, clients] = await Promise.all([
    findEnvironmentNames(sql, projectId, ids('environmentId')),
    findClientNames(sql, projectId, ids('namedHostId')),
  ]);
  return new Map([...environments, ...clients]);
}
