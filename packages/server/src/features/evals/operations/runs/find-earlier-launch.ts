/**
 * Finds the run that an idempotency key already launched, and returns it as the response to the
 * repeated request.
 */

import type { OutputOf } from '@proofmark/contract';
import { canonicalJson, type PlannedRun } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { findRunByKey, type KeyedRun } from '../../store/launched-runs.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import type { LaunchRequest } from './plan-launch.ts';
import type { LaunchDependencies } from './prepared-launch.ts';

export type Launched = OutputOf<'createEvalRun'>;

export async function findEarlierLaunch(
  sql: Sql,
  dependencies: LaunchDependencies,
  { idempotencyKey, suiteId, rerunOf }: LaunchRequest,
  requestHash: string | null,
): Promise<Launched | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const run = await findRunByKey(sql, dependencies.organizationId, idempotencyKey);
  if (run === undefined) return undefined;
  if (run.requestHash !== requestHash) {
    const message =
      'This idempotency key was already used for a different run request; send the same request again, or use a new key.';
    return refuse({ code: 'CONFLICT', message, details: { reason: 'IDEMPOTENCY_KEY_REUSED' } });
  }
  const plan = await findRunPlan(sql, run.id);
  return {
    runId: run.id,
    suiteId: run.suiteId,
    status: run.status,
    deduped: true,
    ...(run.runGroupId === null ? {} : { runGroupId: run.runGroupId }),
    servers: serversOf(run),
    environment: run.snapshot.environment,
    caseUpsert: {
      committed: plan === undefined || (suiteId ?? rerunOf) !== undefined ? [] : namedCases(plan),
      failed: [],
    },
    warnings: [...(plan?.warnings ?? [])],
  };
}

/**
 * Of the model keys, only the provider names are hashed. So a request with renewed keys counts as
 * the same request.
 */
export function requestHashOf(projectId: string, request: LaunchRequest): string {
  const { idempotencyKey: _key, modelApiKeys = {}, ...body } = request;
  const hashed = { projectId, body, providers: Object.keys(modelApiKeys).sort() };
  return sha256Hex(canonicalJson(hashed));
}

export function namedCases(plan: PlannedRun['plan']): Launched['caseUpsert']['committed'] {
  return plan.cases.map(({ caseId, title }) => ({ id: caseId, name: title }));
}

function serversOf({ snapshot }: KeyedRun): Launched['servers'] {
  return snapshot.servers.map(({ id = '', name = '' }) => ({ id, name }));
}
