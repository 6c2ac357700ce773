/**
 * Claims work that has rows of its own and has it done, as much of each kind at a time as this process may. What the work
 * is, only its kind knows. Whoever does it completes it, in a transaction of its own; whatever else becomes of an attempt
 * is settled here. Work is looked for when some is heard of, when a slot is free again, and now and then.
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
  /** Whether anything may be begun now; it is asked again and again. Left out, it always may. */
  mayBegin?(): boolean;
  /** Called for what else comes over the database, by channel. */
  readonly heard?: Readonly<Record<string, (payload: string) => void>>;
}

export function startWork(options: WorkOptions): { stop(): Promise<void> } {
  const { database, log } = options;
  const times = { ...defaultLeaseTimes, ...options.times };
  const leases = new LeaseKeeper(database.leases, times);
  const [stopping, leaving] = [new AbortController(), new AbortController()];
  const signals = { stopping: stopping.signal, leaving: leaving.signal };
  // As many hear them as work is under way.
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
        run(work, claimedMs, makeRoom) {
          const stopping = joinedSignal([signals.stopping, makeRoom]);
          const ofWork = { ...signals, stopping: stopping.signal };
          const parts = { database, log, times, leases, kind, mayBegin, signals: ofWork };
          return doWork(parts, work, claimedMs).finally(() => stopping.letGo());
        },
      }),
    ]),
  );
  const wake = (heard: string | undefined) => {
    for (const [kind, one] of slots) if (heard === undefined || heard === kind) one.wake();
  };
  const listening = listenForWork(options.url, wake, options.heard);
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
