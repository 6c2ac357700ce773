import { operations } from '@proofmark/contract';
import { nextUtcMidnight, projectCapabilities } from '@proofmark/domain';
import { readFeatures } from '../../storage/accounts/organizations.ts';
import { readQuotaStanding } from '../../storage/accounts/quotas.ts';
import type { Action } from '../action.ts';

export const getProjectCapabilities: Action<'getProjectCapabilities'> = async (context) => {
  const { project } = context;
  const on = await readFeatures(context.database, project.organizationId);
  const { quotas, used, nowMs } = await context.tenant((sql) =>
    readQuotaStanding(sql, project.organizationId, context.runLimits.quotas),
  );
  const gated = on.swarms || on.userTesting;
  return {
    projectId: project.id,
    organizationId: project.organizationId,
    role: project.organizationRole,
    projectRole: project.tier,
    surface: context.surface,
    features: {
      sandboxes: { enabled: gated, mode: gated ? 'enforce' : 'off', enforced: gated },
      swarms: { enabled: on.swarms },
      userTesting: { enabled: on.userTesting },
    },
    plan: {
      name: 'self-hosted',
      limits: { ...context.limits, ...quotas },
      features: {},
      used,
      resetsAt: nextUtcMidnight(nowMs),
    },
    can: projectCapabilities({ tier: project.tier, scope: context.caller.scope, ...on, offers }),
  };
};

/**
 * `features` tells what an operator switched on. That may be something this version does not have yet, so what a caller
 * can do is asked of the operations themselves.
 */
const rows: readonly { readonly method: string; readonly path: string }[] =
  Object.values(operations);
const inProject = (rest: string) => `/projects/{projectId}/${rest}`;
const offers = {
  swarms: rows.some(({ path }) => path.startsWith(inProject('swarms'))),
  userTesting: rows.some(({ path }) => path.startsWith(inProject('user-testing'))),
  deletingRuns: rows.some(
    ({ method, path }) => method === 'DELETE' && path === inProject('eval-runs/{runId}'),
  ),
};
