/**
 * Opens a group of launches, which holds one slot: a new group, or the earlier group of this
 * idempotency key. If the earlier group has started a run, its targets are not checked again.
 */
import { randomUUID } from 'node:crypto';
import {
  canonicalJson,
  notFound,
  type Refusal,
  Refused,
  type RunTarget,
  refuseUnattached,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse, refuseIf } from '../../../../platform/operations/action.ts';
import {
  refuseUnpriced,
  refuseWithoutCredits,
} from '../../../../platform/spending/refuse-without-credits.ts';
import { findSuiteToRun } from '../../store/eval-suites.ts';
import { countHeldSlots, lockLaunches } from '../../store/launched-runs.ts';
import {
  findGroupByKey,
  hasRunsOfGroup,
  holdGroupSlot,
  insertGroup,
  type RunGroup,
} from '../../store/run-groups.ts';
import { launches } from './launches.ts';
import type { LaunchRequest } from './plan-launch.ts';
import { prepareSaved } from './prepare-launch.ts';
import type { LaunchDependencies } from './prepared-launch.ts';
import { refuseTooManyRuns } from './write-launch.ts';

export interface TargetToLaunch {
  readonly target: RunTarget;
  readonly path: string;
  readonly request: LaunchRequest & { readonly suiteId: string };
}

export function openGroup(
  dependencies: LaunchDependencies,
  targets: readonly TargetToLaunch[],
  key: string | undefined,
): Promise<{ readonly id: string }> {
  const { organizationId, signal } = dependencies;
  return launches.run(
    organizationId,
    () => open(dependencies, targets, key),
    signal === undefined ? {} : { signal },
  );
}

async function open(
  dependencies: LaunchDependencies,
  targets: readonly TargetToLaunch[],
  key: string | undefined,
): Promise<{ readonly id: string }> {
  const { organizationId, projectId, limits } = dependencies;
  const suiteId = targets[0]?.request.suiteId ?? '';
  const requestHash = sha256Hex(canonicalJson(targets.map(({ request }) => request)));
  const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    dependencies.database.tenant([organizationId], work);
  const earlier = (sql: Sql) => findEarlier(sql, projectId, key, requestHash);
  await tenant(async (sql) => {
    const found = await earlier(sql);
    if (found === undefined || !found.hasRuns)
      await checkTargets(sql, dependencies, targets, suiteId);
  });
  return tenant(async (sql) => {
    await lockLaunches(sql, organizationId);
    dependencies.signal?.throwIfAborted();
    const found = await earlier(sql);
    const id = found?.id ?? idOfGroup(suiteId, key);
    const held = await countHeldSlots(sql, organizationId, id);
    const isFree = held < limits.concurrentRuns;
    if (!isFree && found?.hasRuns !== true) refuseTooManyRuns(limits, held);
    if (found === undefined) {
      const group = { id, organizationId, projectId, suiteId, requestHash };
      if (!(await insertGroup(sql, { ...group, idempotencyKey: key ?? null }))) refuse(notFound);
    }
    if (isFree) await holdGroupSlot(sql, id);
    return { id };
  });
}

function idOfGroup(suiteId: string, key: string | undefined): string {
  if (key === undefined) return randomUUID().replaceAll('-', '');
  return sha256Hex(canonicalJson([suiteId, key])).slice(0, 32);
}

async function findEarlier(
  sql: Sql,
  projectId: string,
  key: string | undefined,
  requestHash: string,
): Promise<(RunGroup & { readonly hasRuns: boolean }) | undefined> {
  const found = key === undefined ? undefined : await findGroupByKey(sql, projectId, key);
  if (found === undefined) return undefined;
  if (found.requestHash !== requestHash) {
    const message =
      'This idempotency key was already used for a different run group request; send the same request again, or use a new key.';
    refuse({ code: 'CONFLICT', message, details: { reason: 'IDEMPOTENCY_KEY_REUSED' } });
  }
  return { ...found, hasRuns: await hasRunsOfGroup(sql, found.id) };
}

async function checkTargets(
  sql: Sql,
  dependencies: LaunchDependencies,
  targets: readonly TargetToLaunch[],
  suiteId: string,
): Promise<void> {
  const suite = (await findSuiteToRun(sql, dependencies.projectId, suiteId)) ?? refuse(notFound);
  const hostIds = suite.hosts.map(({ id }) => id);
  refuseIf(refuseUnattached(targets, { environmentIds: suite.environmentIds, hostIds }));
  const unpriced: string[] = [];
  for (const { request, path } of targets) {
    const prepared = await prepareSaved(sql, dependencies, request, suiteId).catch(
      (error: unknown) => {
        throw error instanceof Refused ? new Refused(atTarget(error.refusal, path)) : error;
      },
    );
    unpriced.push(...prepared.unpriced);
  }
  const { organizationId, limits } = dependencies;
  await refuseWithoutCredits(sql, organizationId, limits.creditsPerDay, unpriced);
  refuseUnpriced(targets[0]?.request.maxCredits, unpriced);
}

/**
 * Replaces the path in a refusal. A single launch has its target at the top of the body, a group
 * has it under `path`. A client that is attached but deleted gets its own message.
 */
function atTarget(refusal: Refusal, path: string): Refusal {
  const { path: named, reason } = refusal.details ?? {};
  if (reason === 'CLIENT_NOT_FOUND') {
    const message = 'This client no longer exists; remove it from the suite or name another.';
    return { code: 'CONFLICT', message, details: { path, code: 'HOST_NOT_FOUND' } };
  }
  const isOfTarget = named === 'body.environmentId' || named === 'body.namedHostId';
  if (refusal.code !== 'CONFLICT' && !isOfTarget) return refusal;
  return { ...refusal, details: { ...refusal.details, path } };
}
