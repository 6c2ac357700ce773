import { effectOf, type Operation, operations } from '@proofmark/contract';
import {
  dailyLimitNames,
  type GatedRow,
  nextUtcMidnight,
  type OrganizationFeature,
  projectCapabilities,
  projectTiers,
} from '@proofmark/domain';
import { readFeatures } from '../../../platform/accounts/store/organizations.ts';
import { readQuotaStanding } from '../../../platform/accounts/store/quotas.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { readDay } from '../../../platform/spending/store/daily-counters.ts';
import { presentWidgets } from '../../health/index.ts';
import type { AccountsParts, AccountsProject } from '../accounts-context.ts';

export const getProjectCapabilities: Action<'getProjectCapabilities', AccountsParts> = async (
  context,
) => {
  const { project, spending, partModels } = context;
  const on = await readFeatures(context.database, project.organizationId);
  const features = (['swarms', 'user-testing'] as const).filter((name) =>
    name === 'swarms' ? on.swarms : on.userTesting,
  );
  const { quotas, used, resetsAt } = await usedToday(context);
  return {
    projectId: project.id,
    organizationId: project.organizationId,
    role: project.organizationRole,
    projectRole: project.tier,
    surface: context.surface,
    features: {
      sandboxes: sandboxes(features),
      swarms: { enabled: on.swarms },
      userTesting: { enabled: on.userTesting },
    },
    widgets: presentWidgets(context.runLimits.noWidgets),
    plan: {
      name: 'self-hosted',
      limits: {
        ...context.limits,
        concurrentRuns: context.runLimits.concurrentRuns,
        ...spending.limits,
        ...quotas,
        ...fixedLimits,
      },
      features: planFeatures,
      used,
      resetsAt,
    },
    can: projectCapabilities(
      {
        tier: project.tier,
        scope: context.caller.scope,
        features,
        insightsAreOff: partModels.insights === 'off',
      },
      rowOf,
    ),
  };
};

/** `enforced` is true while the feature is off, because requests that use it are then rejected. */
function sandboxes(features: readonly OrganizationFeature[]) {
  const enabled = features.length > 0;
  return { enabled, mode: 'enforce' as const, enforced: !enabled };
}

/** Zero, because this service cannot start computers. */
const fixedLimits = { computerStartsPerDay: 0 };

const planFeatures = {
  evals: true,
  scenarios: true,
  cicd: true,
  auditLog: true,
  sso: true,
  customDomains: false,
  prioritySupport: false,
};

function usedToday({ tenant, project, runLimits }: AccountsProject) {
  const { organizationId } = project;
  return tenant(async (sql) => {
    const standing = await readQuotaStanding(sql, organizationId, runLimits.quotas);
    const day = await readDay(sql, organizationId);
    const counted = dailyLimitNames.map((name) => [name, day.used.get(name) ?? 0]);
    return {
      quotas: standing.quotas,
      used: { ...standing.used, ...Object.fromEntries(counted) },
      resetsAt: nextUtcMidnight(standing.nowMs),
    };
  });
}

const rows = operations as Readonly<Record<string, Operation>>;

function rowOf(operationId: string): GatedRow | undefined {
  const row = rows[operationId];
  const tier = projectTiers.find((one) => one === row?.access);
  if (row === undefined || tier === undefined) return undefined;
  const effect = effectOf(row);
  return row.feature === undefined ? { tier, effect } : { tier, effect, feature: row.feature };
}
