import {
  defaultSpendingLimits,
  type KeepRule,
  keepEverything,
  noQuotas,
  parseKeepRule,
  parseQuota,
  type QuotaName,
  type QuotaStanding,
  type Quotas,
  quotaNames,
  type RetainedKind,
  type RetainedRuns,
  type Retention,
  retainedKinds,
  type SpendingLimits,
} from '@proofmark/domain';
import {
  planRetention,
  type RetainedSize,
  sizeOfRuns,
} from '../features/retention/store/retention-plan.ts';
import { sizeOfJourneyRuns } from '../features/swarms/store/remove-journey-runs.ts';
import { type AuditActor, insertAuditLine } from '../platform/accounts/store/audit-log.ts';
import { readQuotaStanding, setQuota } from '../platform/accounts/store/quotas.ts';
import { readRetention, setKeepRule } from '../platform/accounts/store/retention-rules.ts';
import type { Database, Sql } from '../platform/database/database.ts';
import { operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

export interface DefaultLimits {
  readonly quotas: Quotas;
  readonly retention: Retention;
  readonly spending: SpendingLimits;
}

export const noLimits: DefaultLimits = {
  quotas: noQuotas,
  retention: keepEverything,
  spending: defaultSpendingLimits,
};

interface OrganizationName {
  readonly id: string;
  readonly name: string;
}

export interface QuotasOfOrganization {
  readonly organization: OrganizationName;
  readonly quotas: readonly {
    readonly name: QuotaName;
    readonly allowed: number | null;
    readonly used: number;
    /** Whether the limit was set for this organization, and does not come from the settings. */
    readonly isOwn: boolean;
  }[];
}

export interface RetentionPreview {
  readonly organization: OrganizationName;
  readonly rules: Retention;
  readonly goes: {
    readonly runs: { readonly count: number } & RetainedSize;
    /** `ofRuns` is the number of runs that the traces belong to. */
    readonly traces: { readonly ofRuns: number } & RetainedSize;
    readonly sessions: { readonly count: number };
  };
  readonly spared: RetainedRuns['spared'];
}

async function sizeOfAll(
  sql: Sql,
  ofSuites: readonly string[],
  ofJourneys: readonly string[],
): Promise<RetainedSize> {
  const one = await sizeOfRuns(sql, ofSuites);
  const { sessions, ...other } = await sizeOfJourneyRuns(sql, ofJourneys);
  const ends = (...dates: (Date | null)[]) =>
    dates.flatMap((date) => date ?? []).sort((date, next) => date.getTime() - next.getTime());
  return {
    trials: one.trials + sessions,
    traces: one.traces + other.traces,
    bytes: one.bytes + other.bytes,
    traceBytes: one.traceBytes + other.traceBytes,
    oldest: ends(one.oldest, other.oldest)[0] ?? null,
    newest: ends(one.newest, other.newest).at(-1) ?? null,
  };
}

function together(one: RetainedRuns['spared'], other: RetainedRuns['spared']) {
  return {
    open: one.open + other.open,
    waived: one.waived + other.waived,
    newestDecided: one.newestDecided + other.newestDecided,
  };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a plain list of the members of one service.
export function operateLimits(owner: Database, actor: AuditActor, defaults: DefaultLimits) {
  const { organizationOf } = operatorSearch(owner);
  const organizationsOf = async (organization?: string): Promise<readonly OrganizationName[]> => {
    const only = organization === undefined ? null : await organizationOf(organization);
    return owner.sql<OrganizationName[]>`
      select id, name from organizations where ${only}::text is null or id = ${only} order by name, id`;
  };
  const preview = (organization: OrganizationName, instead: Partial<Retention>) =>
    owner.transaction(async (sql): Promise<RetentionPreview> => {
      const inForce = await readRetention(sql, organization.id, defaults.retention);
      const rules = { ...inForce, ...instead };
      const plan = await planRetention(sql, organization.id, rules);
      const { runs, traces, sessions, journeyRuns } = plan;
      return {
        organization,
        rules,
        spared: together(plan.spared, journeyRuns.spared),
        goes: {
          runs: {
            count: runs.length + journeyRuns.runs.length,
            ...(await sizeOfAll(sql, runs, journeyRuns.runs)),
          },
          traces: {
            ofRuns: traces.length + journeyRuns.traces.length,
            ...(await sizeOfAll(sql, traces, journeyRuns.traces)),
          },
          sessions: { count: sessions.length },
        },
      };
    }, 'slow');
  return {
    async setQuota(organization: string, name: string, limit: string): Promise<QuotaStanding> {
      if (!(quotaNames as readonly string[]).includes(name)) {
        throw new BadSetting(`There is no quota ${name}; the quotas are ${quotaNames.join(', ')}.`);
      }
      const allowed = limit === 'default' ? limit : parseQuota(limit);
      if (allowed === undefined) {
        throw new BadSetting('A quota must be a whole number of at least 0, or none, or default.');
      }
      const organizationId = await organizationOf(organization);
      return owner.transaction(async (sql) => {
        await setQuota(sql, organizationId, name as QuotaName, allowed);
        await insertAuditLine(sql, {
          ...actor,
          organizationId,
          projectId: null,
          subjectId: organizationId,
          action: 'organization.quotaChanged',
          details: { quota: name, state: limit },
        });
        return readQuotaStanding(sql, organizationId, defaults.quotas);
      });
    },

    async readQuotas(organization?: string): Promise<readonly QuotasOfOrganization[]> {
      const shown: QuotasOfOrganization[] = [];
      for (const one of await organizationsOf(organization)) {
        const { quotas, used } = await readQuotaStanding(owner.sql, one.id, defaults.quotas);
        const { quotas: own } = await readQuotaStanding(owner.sql, one.id, neverAllowed);
        shown.push({
          organization: one,
          quotas: quotaNames.map((name) => ({
            name,
            allowed: quotas[name],
            used: used[name],
            isOwn: own[name] !== neverAllowed[name],
          })),
        });
      }
      return shown;
    },

    /** Sets the retention rule, and returns what the new rule would remove now. */
    async setRetention(
      organization: string,
      kind: string,
      rule: string,
    ): Promise<RetentionPreview> {
      const wanted = checkedRule(kind, rule);
      const organizationId = await organizationOf(organization);
      await owner.transaction(async (sql) => {
        await setKeepRule(sql, organizationId, kind as RetainedKind, wanted);
        await insertAuditLine(sql, {
          ...actor,
          organizationId,
          projectId: null,
          subjectId: organizationId,
          action: 'organization.retentionChanged',
          details: { kept: kind, state: rule },
        });
      });
      const [one] = await organizationsOf(organizationId);
      return preview(one as OrganizationName, {});
    },

    /**
     * Returns what retention would remove now, for one organization (default: all). The rules in
     * `instead` replace the current ones. Nothing is removed.
     */
    async previewRetention(
      organization?: string,
      instead: Readonly<Record<string, string>> = {},
    ): Promise<readonly RetentionPreview[]> {
      const rules: { [Kind in RetainedKind]?: KeepRule } = {};
      for (const [kind, rule] of Object.entries(instead)) {
        const wanted = checkedRule(kind, rule);
        rules[kind as RetainedKind] =
          wanted === 'default' ? defaults.retention[kind as RetainedKind] : wanted;
      }
      const previews: RetentionPreview[] = [];
      for (const one of await organizationsOf(organization))
        previews.push(await preview(one, rules));
      return previews;
    },
  };
}

/**
 * Defaults that no real quota can have. A -1 in a result shows that the organization has no quota
 * of its own.
 */
const neverAllowed: Quotas = { storedBytes: -1, trialsPerDay: -1, uploadBytesPerDay: -1 };

function checkedRule(kind: string, rule: string): KeepRule | 'default' {
  if (!(retainedKinds as readonly string[]).includes(kind)) {
    throw new BadSetting(`There is no kind ${kind}; the kinds are ${retainedKinds.join(', ')}.`);
  }
  const wanted = rule === 'default' ? rule : parseKeepRule(rule);
  if (wanted !== undefined) return wanted;
  throw new BadSetting(
    'A rule must be like 90d, 50 or 90d/50 (the newest 50 of 90 days), or be none or default.',
  );
}
