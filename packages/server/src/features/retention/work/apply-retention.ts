/**
 * Applies retention once an hour: removes what the rules of each organization do not keep, and
 * records the amount in the audit log.
 */
import { count, type Retention } from '@proofmark/domain';
import { insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import { readRetention } from '../../../platform/accounts/store/retention-rules.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { IndependentParts } from '../../../platform/work/independent-parts.ts';
import { removeJourneyRuns, removeJourneyTraces } from '../../swarms/index.ts';
import { dropMonth, monthsOf } from '../store/drop-months.ts';
import { removeChatSessions, removeRuns, removeTraces } from '../store/remove-retained.ts';
import { planRetention, type RetentionPlan } from '../store/retention-plan.ts';

/** `runs` and `traces` include those of journeys. */
export interface Removed {
  readonly runs: number;
  readonly traces: number;
  readonly sessions: number;
  readonly months: readonly string[];
}

/**
 * The number of runs in a batch. It is small, because requests for the runs of a batch wait for it,
 * and a run may have many thousand trials.
 */
const runsAtOnce = 20;
const sessionsAtOnce = 500;

/**
 * Removes what each organization's rules do not keep. A failed removal does not stop the others;
 * its error is thrown at the end, and the next pass tries again.
 */
export async function applyRetention(database: Database, defaults: Retention): Promise<Removed> {
  const parts = new IndependentParts(database);
  const plans = await planAll(database, defaults, parts);
  const removed = { runs: 0, traces: 0, sessions: 0, months: [] as string[] };
  const gone = new Set<string>();
  for (const month of monthsOf(plans)) {
    const isDropped = await parts.do(() => dropMonth(database, month, withAuditLine(runsAway)));
    if (!isDropped) continue;
    removed.months.push(month.name);
    for (const id of month.going.flatMap(({ runs }) => runs)) gone.add(id);
  }
  removed.runs = gone.size;
  for (const { organizationId, runs, traces, sessions, journeyRuns } of plans) {
    const remove = removing(database, organizationId, parts);
    const left = runs.filter((id) => !gone.has(id));
    removed.runs += await remove(left, runsAtOnce, runsAway);
    removed.traces += await remove(traces, runsAtOnce, tracesAway);
    removed.runs += await remove(journeyRuns.runs, runsAtOnce, journeyRunsAway);
    removed.traces += await remove(journeyRuns.traces, runsAtOnce, journeyTracesAway);
    removed.sessions += await remove(sessions, sessionsAtOnce, sessionsAway);
  }
  parts.throwFailures('Retention could not remove everything.');
  return removed;
}

async function planAll(
  database: Database,
  defaults: Retention,
  parts: IndependentParts,
): Promise<RetentionPlan[]> {
  const organizations = await database.sql<{ id: string }[]>`select id from organizations`;
  const plans: RetentionPlan[] = [];
  for (const { id } of organizations) {
    const plan = await parts.do(() =>
      database.tenant(
        [id],
        async (sql) => planRetention(sql, id, await readRetention(sql, id, defaults)),
        'slow',
      ),
    );
    if (plan === undefined) continue;
    const { runs, traces, sessions, journeyRuns } = plan;
    const going = [runs, traces, sessions, journeyRuns.runs, journeyRuns.traces];
    if (going.some(({ length }) => length > 0)) plans.push(plan);
  }
  return plans;
}

type Remove = (
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
) => Promise<{ readonly count: number; readonly words: string }>;

const runsAway: Remove = async (...of) => {
  const { runs, trials } = await removeRuns(...of);
  return { count: runs, words: `${count(runs, 'run')} with ${count(trials, 'trial')}` };
};

const tracesAway: Remove = async (...of) => {
  const { runs, traces } = await removeTraces(...of);
  return { count: traces, words: `${count(traces, 'trace')} of ${count(runs, 'run')}` };
};

const journeyRunsAway: Remove = async (...of) => {
  const { runs, sessions } = await removeJourneyRuns(...of);
  return {
    count: runs,
    words: `${count(runs, 'run')} of journeys with ${count(sessions, 'session')}`,
  };
};

const journeyTracesAway: Remove = async (...of) => {
  const { runs, traces } = await removeJourneyTraces(...of);
  return { count: traces, words: `${count(traces, 'trace')} of ${count(runs, 'run')} of journeys` };
};

const sessionsAway: Remove = async (...of) => {
  const sessions = await removeChatSessions(...of);
  return { count: sessions, words: count(sessions, 'chat session') };
};

/** Wraps a removal so that it also writes the audit line, in the same transaction. */
function withAuditLine(remove: Remove) {
  return async (sql: Sql, organizationId: string, ids: readonly string[]): Promise<number> => {
    const { count: removed, words } = await remove(sql, organizationId, ids);
    if (removed > 0) {
      await insertAuditLine(sql, {
        ...retentionJob,
        organizationId,
        projectId: null,
        subjectId: organizationId,
        action: 'organization.retentionApplied',
        details: { removed: words },
      });
    }
    return removed;
  };
}

/**
 * Removes ids in batches. A failed batch is split in halves and tried again, until only the failing
 * items are left.
 */
function removing(database: Database, organizationId: string, parts: IndependentParts) {
  const removeSome = async (ids: readonly string[], remove: Remove): Promise<number> => {
    try {
      return await database.tenant(
        [organizationId],
        (sql) => withAuditLine(remove)(sql, organizationId, ids),
        'slow',
      );
    } catch (error) {
      if (ids.length > 1) {
        await parts.throwIfAway();
        const half = Math.ceil(ids.length / 2);
        const first = await removeSome(ids.slice(0, half), remove);
        return first + (await removeSome(ids.slice(half), remove));
      }
      await parts.fail(error);
      return 0;
    }
  };
  return async (ids: readonly string[], atOnce: number, remove: Remove): Promise<number> => {
    let all = 0;
    for (let start = 0; start < ids.length; start += atOnce) {
      all += await removeSome(ids.slice(start, start + atOnce), remove);
    }
    return all;
  };
}

export const retentionJob = {
  accountId: null,
  accountEmail: 'retention',
  callerKind: 'service',
} as const;
