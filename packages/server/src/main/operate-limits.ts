/** Quotas and retention of organizations, as the operator sets them and looks at them. */
import {
  defaultSpendingLimits,
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
import { type AuditActor, insertAuditLine } from '../storage/accounts/audit-log.ts';
import { readQuotaStanding, setQuota } from '../storage/accounts/quotas.ts';
import { readRetention, setKeepRule } from '../storage/accounts/retention-rules.ts';
import type { Database } from '../storage/database/database.ts';
import {
  planRetention,
  type RetainedSize,
  sizeOfRuns,
} from '../storage/eval-runs/retention-plan.ts';
import { operatorSearch } from './operator-input.ts';
import { BadSetting } from './setting.ts';

/** What the settings say for organizations that have nothing of their own. */
export interface DefaultLimits {
  readonly quotas: Quotas;
  readonly retention: Retention;
  readonly spending: SpendingLimits;
}

export const noLimits: DefaultLimits = {
  ...{ quotas: noQuotas, retention: keepEverything, spending: defaultSpendingLimits },
};

export interface RetentionPreview {
  readonly organization: { readonly id: string; readonly name: string };
  readonly rules: Retention;
  readonly goes: {
    readonly runs: { readonly count: number } & RetainedSize;
    /** Of runs that stay. */
    readonly traces: { readonly ofRuns: number } & RetainedSize;
    readonly sessions: { readonly count: number };
  };
  readonly spared: RetainedRuns['spared'];
}

export function operateLimits(owner: Database, actor: AuditActor, defaults: DefaultLimits) {
  const { organizationOf } = operatorSearch(owner);
  return {
    async setQuota(organization: string, name: string, limit: string): Promise<QuotaStanding> {
      if (!(quotaNames as readonly string[]).includes(name)) {
        throw new BadSetting(`There is no quota ${name}; there are ${quotaNames.join(', ')}.`);
      }
      const allowed = limit === 'default' ? limit : parseQuota(limit);
      if (allowed === undefined) {
        throw new BadSetting('A quota is a whole number that is not negative, none or default.');
      }
      const organizationId = await organizationOf(organization);
      return owner.transaction(async (sql) => {
        await setQuota(sql, organizationId, name as QuotaName, allowed);
        await insertAuditLine(sql, {
          ...{ ...actor, organizationId, projectId: null, subjectId: organizationId },
          ...{ action: 'organization.quotaChanged', details: { quota: name, state: limit } },
        });
        return readQuotaStanding(sql, organizationId, defaults.quotas);
      });
    },

    async setRetention(organization: string, kind: string, rule: string): Promise<Retention> {
      if (!(retainedKinds as readonly string[]).includes(kind)) {
        throw new BadSetting(`There is no kind ${kind}; there are ${retainedKinds.join(', ')}.`);
      }
      const wanted = rule === 'default' ? rule : parseKeepRule(rule);
      if (wanted === undefined) {
        throw new BadSetting(
          'A rule is like 90d, 50 or 90d/50 (the newest 50 of 90 days), none or default.',
        );
      }
      const organizationId = await organizationOf(organization);
      return owner.transaction(async (sql) => {
        await setKeepRule(sql, organizationId, kind as RetainedKind, wanted);
        await insertAuditLine(sql, {
          ...{ ...actor, organizationId, projectId: null, subjectId: organizationId },
          ...{ action: 'organization.retentionChanged', details: { kept: kind, state: rule } },
        });
        return readRetention(sql, organizationId, defaults.retention);
      });
    },

    /** Of one organization, or of all; removes nothing. */
    async previewRetention(organization?: string): Promise<RetentionPreview[]> {
      const only = organization === undefined ? undefined : await organizationOf(organization);
      const organizations = await owner.sql<RetentionPreview['organization'][]>`
        select id, name from organizations order by name, id`;
      const previews: RetentionPreview[] = [];
      for (const one of organizations) {
        if (only !== undefined && one.id !== only) continue;
        previews.push(
          await owner.transaction(async (sql) => {
            const rules = await readRetention(sql, one.id, defaults.retention);
            const { runs, traces, sessions, spared } = await planRetention(sql, one.id, rules);
            return {
              ...{ organization: one, rules, spared },
              goes: {
                runs: { count: runs.length, ...(await sizeOfRuns(sql, runs)) },
                traces: { ofRuns: traces.length, ...(await sizeOfRuns(sql, traces)) },
                sessions: { count: sessions.length },
              },
            };
          }, 'slow'),
        );
      }
      return previews;
    },
  };
}
