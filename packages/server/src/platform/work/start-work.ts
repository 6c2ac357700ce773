/**
 * Claims work and runs it, up to the limit of this process for each kind. The work itself records
 * its completion in a transaction; this code handles interrupted and failed attempts. The process
 * looks for work after a notification, when a slot becomes free, and at intervals.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { doWork } from './do-work.ts';
import { joinedSignal } from './joined-signal.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { defaultLeaseTimes, type LeaseTimes } from './lease-times.ts';
import { listenForWork } from './store/listen-for-work.ts';
import type { WorkKind, WorkLog } from './work-kind.ts';
import { WorkSlots } from './work-slots.ts';

export interface WorkOptions {
  readonly database: Database;
  readonly url: string;
  readonly log: WorkLog;
  readonly kinds: Readonly<Record<string, WorkKind>>;
  readonly times?: Partial<LeaseTimes>;
  /** Returns whether work may begin now; called repeatedly (default: always). */
  mayBegin?(): boolean;
  readonly listeners?: Readonly<Record<string, (payload: string) => void>>;
}

export function startWork(options: WorkOptions): { stop(): Promise<void> } {
  const { database, log } = options;
  const times = { ...defaultLeaseTimes, ...options.times };
  const leases = new LeaseKeeper(database.leases, times);
  const [stopping, leaving] = [new AbortController(), new AbortController()];
  const signals = { stopping: stopping.signal, leaving: leaving.signal };
  // These signals have one listener for each running work, so Node's warning about many listeners
  // is switched off.
  setMaxListeners(0, stopping.signal, leaving.signal);
  const mayBegin = () => options.mayBegin?.() !== false;
  const slots = new Map(
    Object.entries(options.kinds).map(([name, kind]) => [
      name,
      new WorkSlots({
        log,
        times,
        kind: name,
        atOnce: kind.atOnce,
        stopping: stopping.signal,
        sql: database.leases.sql,
        mayBegin,
        run(work, claimedMs, releaseSignal) {
          const stopping = joinedSignal([signals.stopping, releaseSignal]);
          const ofWork = { ...signals, stopping: stopping.signal };
          const parts = { database, log, times, leases, kind, mayBegin, signals: ofWork };
          return doWork(parts, work, claimedMs).finally(() => stopping.letGo());
        },
      }),
    ]),
  );
  const wake = (changedKind: string | undefined) => {
    for (const [kind, one] of slots)
      if (changedKind === undefined || changedKind === kind) one.wake();
  };
  const listening = listenForWork(options.url, wake, options.listeners);
  return {
    async stop() {
      stopping.abort();
      const silent = listening.stop();
      const ended = Promise.all([...slots.values()].map((one) => one.emptied()));
      const cutOff = new AbortController();
      const waited = wait(times.longestEndMs, undefined, { signal: cutOff.signal });
      const late = waited.catch(() => undefined);
      await Promise.race([ended, late]);
      leaving.abort();
      cutOff.abort();
      await Promise.all([ended, silent]);
    },
  };
}
