/** Once an hour: what the rules of its organization do not keep goes, and the audit log tells how much it was. */
import { count, type Retention } from '@proofmark/domain';
import { insertAuditLine } from '../storage/accounts/audit-log.ts';
import { readRetention } from '../storage/accounts/retention-rules.ts';
import type { Database, Sql } from '../storage/database/database.ts';
import { dropWholeMonths } from '../storage/eval-runs/drop-months.ts';
import {
  removeChatSessions,
  removeRuns,
  removeTraces,
} from '../storage/eval-runs/remove-retained.ts';
import { planRetention, type RetentionPlan } from '../storage/eval-runs/retention-plan.ts';

export interface Removed {
  readonly runs: number;
  readonly traces: number;
  readonly sessions: number;
  /** Whose tables were dropped. */
  readonly months: readonly string[];
}

/** A run may have many thousand trials, and whoever asks for one of these runs meanwhile waits. */
const runsAtOnce = 20;
const sessionsAtOnce = 500;

export async function applyRetention(database: Database, defaults: Retention): Promise<Removed> {
  const organizations = await database.sql<{ id: string }[]>`select id from organizations`;
  const plans: RetentionPlan[] = [];
  for (const { id } of organizations) {
    const plan = await database.tenant(
      [id],
      async (sql) => planRetention(sql, id, await readRetention(sql, id, defaults)),
      'slow',
    );
    if (plan.runs.length + plan.traces.length + plan.sessions.length > 0) plans.push(plan);
  }
  const months = await dropWholeMonths(
    database,
    plans.flatMap(({ runs }) => runs),
  );
  const removed = { runs: 0, traces: 0, sessions: 0, months };
  for (const plan of plans) {
    const remove = removing(database, plan.organizationId);
    removed.runs += await remove(plan.runs, runsAtOnce, async (sql, organizationId, ids) => {
      const { runs, trials } = await removeRuns(sql, organizationId, ids);
      return { count: runs, words: `${count(runs, 'run')} with ${count(trials, 'trial')}` };
    });
    removed.traces += await remove(plan.traces, runsAtOnce, async (sql, organizationId, ids) => {
      const { runs, traces } = await removeTraces(sql, organizationId, ids);
      return { count: traces, words: `${count(traces, 'trace')} of ${count(runs, 'run')}` };
    });
    removed.sessions += await remove(
      ...([plan.sessions, sessionsAtOnce] as const),
      async (sql, organizationId, ids) => {
        const sessions = await removeChatSessions(sql, organizationId, ids);
        return { count: sessions, words: count(sessions, 'chat session') };
      },
    );
  }
  return removed;
}

type Remove = (
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
) => Promise<{ readonly count: number; readonly words: string }>;

/** Some at a time, each with its line. */
function removing(database: Database, organizationId: string) {
  return async (ids: readonly string[], atOnce: number, remove: Remove): Promise<number> => {
    let all = 0;
    for (let start = 0; start < ids.length; start += atOnce) {
      const some = ids.slice(start, start + atOnce);
      all += await database.tenant(
        [organizationId],
        async (sql) => {
          const { count: removed, words } = await remove(sql, organizationId, some);
          if (removed > 0) {
            await insertAuditLine(sql, {
              ...{ ...retentionJob, organizationId, projectId: null, subjectId: organizationId },
              ...{ action: 'organization.retentionApplied', details: { removed: words } },
            });
          }
          return removed;
        },
        'slow',
      );
    }
    return all;
  };
}

const retentionJob = { accountId: null, accountEmail: 'retention', callerKind: 'service' } as const;
