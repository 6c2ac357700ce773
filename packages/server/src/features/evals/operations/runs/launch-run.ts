/**
 * Launches a run for a caller or a schedule. The context is resolved before the transaction, and
 * launches of one organization run one after another. An idempotency key that launched a run before
 * returns that run and takes no slot.
 */

import type { Sql } from '../../../../platform/database/database.ts';
import { countHeldSlots, lockLaunches } from '../../store/launched-runs.ts';
import {
  findEarlierLaunch,
  type Launched,
  namedCases,
  requestHashOf,
} from './find-earlier-launch.ts';
import { launches } from './launches.ts';
import type { LaunchRequest } from './plan-launch.ts';
import { prepareNew, prepareSaved, readNewCases, resolveRequest } from './prepare-launch.ts';
import type { LaunchDependencies } from './prepared-launch.ts';
import { refuseTooManyRuns, writeLaunch } from './write-launch.ts';

export function launchRun(
  dependencies: LaunchDependencies,
  request: LaunchRequest,
): Promise<Launched> {
  const { organizationId, signal } = dependencies;
  return launches.run(
    organizationId,
    () => launch(dependencies, request),
    signal === undefined ? {} : { signal },
  );
}

async function launch(dependencies: LaunchDependencies, request: LaunchRequest): Promise<Launched> {
  const { idempotencyKey, suiteId, rerunOf } = request;
  const requestHash =
    idempotencyKey === undefined ? null : requestHashOf(dependencies.projectId, request);
  const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    dependencies.database.tenant([dependencies.organizationId], work);
  const read = await tenant(async (sql) => {
    const earlier = await findEarlierLaunch(sql, dependencies, request, requestHash);
    if (earlier !== undefined || (suiteId ?? rerunOf) === undefined) return { earlier };
    const resolved = await resolveRequest(sql, dependencies, request);
    const prepared = await prepareSaved(sql, dependencies, resolved, resolved.suiteId ?? '');
    const { organizationId, limits, group } = dependencies;
    const openRuns = await countHeldSlots(sql, organizationId, group?.id);
    if (openRuns < limits.concurrentRuns) return { prepared };
    // The key is looked up after the count, because a concurrent request with this key may have
    // launched one of the counted runs.
    const meanwhile = await findEarlierLaunch(sql, dependencies, request, requestHash);
    return { earlier: meanwhile ?? refuseTooManyRuns(limits, openRuns) };
  });
  if (read.earlier !== undefined) return read.earlier;
  const stated = read.prepared === undefined ? await readNewCases(request) : [];
  return tenant(async (sql) => {
    await lockLaunches(sql, dependencies.organizationId);
    dependencies.signal?.throwIfAborted();
    const earlier = await findEarlierLaunch(sql, dependencies, request, requestHash);
    if (earlier !== undefined) return earlier;
    const ready = read.prepared ?? (await prepareNew(sql, dependencies, request, stated));
    const runId = await writeLaunch(sql, dependencies, ready, {
      notes: request.notes ?? null,
      runGroupId: request.runGroupId ?? null,
      idempotencyKey: idempotencyKey ?? null,
      requestHash,
    });
    return {
      runId,
      suiteId: ready.suiteId,
      status: 'pending' as const,
      ...(request.runGroupId === undefined ? {} : { runGroupId: request.runGroupId }),
      servers: [...ready.context.servers],
      environment: ready.context.environment,
      caseUpsert: {
        committed: read.prepared === undefined ? namedCases(ready.plan) : [],
        failed: [],
      },
      warnings: [...(ready.plan.warnings ?? [])],
    };
  });
}
