/**
 * Makes the cleanup calls of one trial in its worker: when the trial ends, or after the run ended
 * during the trial. If the lease may be lost, or the process stops, another worker begins the trial
 * again and makes all of its calls again.
 */
import { type PlannedTrial, setupLists } from '@proofmark/domain';
import type { AfterOfTrial } from '../../../conversation/trial-dependencies.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import { type ClaimedWork, costOfAttempt } from '../../../platform/work/store/leased-work.ts';
import { leaseTeardown, settleTeardown } from '../store/owed-teardowns.ts';
import { makeLeasedTeardown } from './make-leased-teardown.ts';
import type { OpenRun } from './open-runs.ts';
import type { WorkerDependencies } from './worker-parts.ts';

export function teardownOfTrial(
  { database, leaseMs }: Pick<WorkerDependencies, 'database'> & { readonly leaseMs: number },
  { plan, secrets, writer }: Pick<OpenRun, 'plan' | 'secrets' | 'writer'>,
  { caseIndex, ordinal }: PlannedTrial,
  under: {
    readonly work: ClaimedWork;
    readonly leaving: AbortSignal;
    readonly signal: AbortSignal;
  },
): AfterOfTrial | undefined {
  const planned = plan.cases[caseIndex];
  if (planned === undefined || setupLists('after', plan, planned).length === 0) return undefined;
  const { work } = under;
  const { groupId: runId, lease, organizationId } = work;
  const owed = { runId, ordinal, lease, organizationId };
  const signal = AbortSignal.any([under.leaving, unlessRunEnded(under.signal)]);
  return {
    owe: () => writer.write({ held: work, owesAfter: ordinal }, under.signal),
    // Does nothing after an earlier attempt, whose set-up calls may still need the cleanup.
    withdraw: async () => {
      if (work.attemptCost > costOfAttempt) return;
      await retryWhileDatabaseIsAway(
        () => database.tenant([organizationId], (sql) => settleTeardown(sql, owed, [])),
        AbortSignal.timeout(leaseMs),
        // If this write fails, the calls stay pending: an unneeded cleanup call does less harm than
        // a missing one.
      ).catch(() => undefined);
    },
    async make(calls) {
      if (signal.aborted) return;
      const isTaken = await retryWhileDatabaseIsAway(
        () => database.tenant([organizationId], (sql) => leaseTeardown(sql, owed)),
        signal,
      );
      if (!isTaken) return;
      await makeLeasedTeardown(database, owed, { signal, leaseMs }, async (making, onBegun) =>
        secrets.redactQuotes(await calls(making, onBegun), quoted),
      );
    },
  };
}

const quoted: ReadonlySet<string> = new Set(['message']);

function unlessRunEnded(signal: AbortSignal): AbortSignal {
  const again = new AbortController();
  const onAbort = () => {
    const { reason } = signal;
    if (!(reason instanceof LeaseLost) || reason.wasAway) again.abort(reason);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return again.signal;
}
