/**
 * The places of this process in limits that all processes share, for example concurrent calls of
 * one server. The process leases a share of the limit, so that a call needs no query. Without a
 * confirmed share, no new calls start; running ones continue.
 */
import { randomUUID } from 'node:crypto';
import { divideSlots, type Places, placesToHold, Semaphore } from '@proofmark/domain';
import type { Database } from '../database/database.ts';
import { defaultLeaseTimes } from './lease-times.ts';
import {
  giveBackPlaces,
  type PlaceHolder,
  type ShareRequest,
  sharePlaces,
} from './store/share-places.ts';
import type { WorkLog } from './work-kind.ts';

export interface PlaceTimes {
  /** If the holder of a share is silent for this long, its share goes to others. */
  readonly leaseMs: number;
  /** The time after its last confirmation for which the holder may use the share. */
  readonly sureMs: number;
  readonly prolongEveryMs: number;
  /** The interval of requests while a call waits for places of other processes. */
  readonly askEveryMs: number;
  /** A share that was not used for this long is returned. */
  readonly idleMs: number;
  /** The longest time for which a place is kept while other processes wait for one. */
  readonly turnMs: number;
}

/**
 * Longer than the leases of work. So if a process is lost, its calls have ended before other
 * processes get its places.
 */
export const defaultPlaceTimes: PlaceTimes = {
  leaseMs: defaultLeaseTimes.leaseMs * 1.5,
  sureMs: defaultLeaseTimes.leaseMs,
  prolongEveryMs: defaultLeaseTimes.lookEveryMs,
  askEveryMs: 100,
  idleMs: 1500,
  turnMs: 1000,
};

/**
 * `soon`: while a call waits for places of other processes, or while the database is unreachable.
 */
type Pace = 'now' | 'soon' | 'whenDue';

interface Target {
  bound: number;
  /**
   * The places that this process may use now. Leased places beyond this number are being returned.
   */
  usable: number;
  sureUntilMs: number;
  /** The largest number of used and awaited places since the last query. */
  peak: number;
  usedMs: number;
  holders: readonly PlaceHolder[];
}

export class LimitShares implements Places {
  readonly #holder = randomUUID();
  readonly #database: Pick<Database, 'leases'>;
  readonly #log: Pick<WorkLog, 'warn'>;
  readonly #times: PlaceTimes;
  readonly #targets = new Map<string, Target>();
  readonly #semaphore = new Semaphore((name) => this.#usable(name));
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Infinity;
  #asking: Promise<void> | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(
    database: Pick<Database, 'leases'>,
    log: Pick<WorkLog, 'warn'>,
    times: PlaceTimes = defaultPlaceTimes,
  ) {
    this.#database = database;
    this.#log = log;
    this.#times = times;
  }

  async run<Result>(
    name: string,
    bound: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const target = this.#of(name, bound);
    const acquiring = this.#semaphore.acquire(name, { signal, atMost: bound });
    target.peak = Math.max(target.peak, this.#demand(name));
    this.#askAt(this.#pace(name, target));
    const release = await acquiring;
    try {
      return await work();
    } finally {
      target.usedMs = performance.now();
      release();
    }
  }

  isUsedByOthers(name: string): boolean {
    const holders = this.#targets.get(name)?.holders ?? [];
    return holders.some(
      ({ holder, places, wanted }) => holder !== this.#holder && places + wanted > 0,
    );
  }

  /** Returns all shares. Must be called when no place is in use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#asking;
    if (this.#targets.size === 0) return;
    // If the database is unreachable, the places become free when the lease expires.
    await giveBackPlaces(this.#database.leases.sql, this.#holder).catch(() => undefined);
  }

  #of(name: string, bound: number): Target {
    const nowMs = performance.now();
    const target = this.#targets.get(name) ?? {
      bound,
      usable: 0,
      sureUntilMs: 0,
      peak: 0,
      usedMs: nowMs,
      holders: [],
    };
    this.#targets.set(name, target);
    target.bound = bound;
    target.usedMs = nowMs;
    return target;
  }

  #usable(name: string): number {
    const target = this.#targets.get(name);
    return target !== undefined && performance.now() < target.sureUntilMs ? target.usable : 0;
  }

  #demand(name: string): number {
    return this.#semaphore.held(name) + this.#semaphore.waiting(name);
  }

  #pace(name: string, { bound, holders }: Target): Pace {
    if (this.#isAway) return 'soon';
    if (holders.every(({ holder }) => holder === this.#holder)) {
      const lacks = this.#semaphore.waiting(name) > 0 && this.#usable(name) < bound;
      return lacks ? 'now' : 'whenDue';
    }
    const requested = holders.find(({ holder }) => holder === this.#holder)?.wanted ?? 0;
    const shares = divideSlots(bound, holders, this.#times.turnMs);
    const isUneven = holders.some(
      ({ places, wanted }, index) => places < (shares[index] ?? 0) || (wanted > 0 && places === 0),
    );
    return isUneven || Math.min(bound, this.#demand(name)) > requested ? 'soon' : 'whenDue';
  }

  #askAt(pace: Pace): void {
    if (this.#isClosed || this.#asking !== undefined) return;
    const { askEveryMs, prolongEveryMs } = this.#times;
    const waitMs = { now: 0, soon: askEveryMs, whenDue: prolongEveryMs }[pace];
    const dueMs = performance.now() + waitMs;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#dueMs = Infinity;
      this.#asking = this.#ask().finally(() => {
        this.#asking = undefined;
        for (const [name, target] of this.#targets) this.#askAt(this.#pace(name, target));
      });
    }, waitMs);
  }

  async #ask(): Promise<void> {
    const startedMs = performance.now();
    const requests = [...this.#targets].map(([name, target]) =>
      this.#requestOf(name, target, startedMs),
    );
    try {
      const { leases } = this.#database;
      const shares = await sharePlaces(leases.sql, this.#holder, requests, this.#times.leaseMs);
      this.#isAway = false;
      for (const [name, holders] of shares) this.#applyShares(name, holders, startedMs);
    } catch (error) {
      if (!this.#isAway) this.#log.warn({ err: error }, 'no places could be requested');
      this.#isAway = true;
    }
  }

  /** From here on no more places are used than requested, even if the query fails. */
  #requestOf(name: string, target: Target, nowMs: number): ShareRequest {
    const { bound } = target;
    const wanted = Math.min(bound, Math.max(target.peak, this.#demand(name)));
    target.peak = this.#demand(name);
    const isIdle = wanted === 0 && nowMs - target.usedMs >= this.#times.idleMs;
    const share = isIdle ? 0 : this.#share(target, wanted);
    target.usable = Math.min(target.usable, share);
    const places = Math.max(share, this.#semaphore.held(name));
    return { target: name, bound, wanted, places };
  }

  #share({ bound, holders }: Target, wanted: number): number {
    const known = holders.map((one) => (one.holder === this.#holder ? { ...one, wanted } : one));
    const mine = known.findIndex(({ holder }) => holder === this.#holder);
    if (mine >= 0) return placesToHold(bound, known, mine, this.#times.turnMs);
    const newHolder = { holder: this.#holder, places: 0, wanted, sinceMs: 0 };
    return placesToHold(bound, [...known, newHolder], known.length, this.#times.turnMs);
  }

  #applyShares(name: string, holders: readonly PlaceHolder[], startedMs: number): void {
    const target = this.#targets.get(name);
    if (target === undefined) return;
    const mine = holders.find(({ holder }) => holder === this.#holder);
    target.holders = holders;
    target.sureUntilMs = startedMs + this.#times.sureMs;
    const wanted = Math.min(target.bound, Math.max(mine?.wanted ?? 0, this.#demand(name)));
    target.usable = Math.min(mine?.places ?? 0, this.#share(target, wanted));
    if (mine === undefined && this.#demand(name) === 0) this.#targets.delete(name);
    else this.#semaphore.wake(name);
  }
}
