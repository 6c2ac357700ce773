/**
 * The slots of one kind of work in this process. Work is claimed for all free slots, and again when
 * a slot becomes free. If no slot is free and work of a dead worker waits, some running work stops
 * at its next step, so that its slot becomes free.
 */
import { randomUUID } from 'node:crypto';
import type { Sql } from '../database/database.ts';
import type { LeaseTimes } from './lease-times.ts';
import { type ClaimedWork, claimWork, countSilentWork } from './store/leased-work.ts';
import type { WorkLog } from './work-kind.ts';

export interface WorkSlotsOptions {
  readonly sql: Sql;
  readonly log: WorkLog;
  readonly times: LeaseTimes;
  readonly kind: string;
  readonly atOnce: number;
  readonly stopping: AbortSignal;
  mayBegin(): boolean;
  /**
   * Runs work; never throws. If the work was returned, resolves to the milliseconds until it may be
   * claimed again. `makeRoom` aborts when the work should end soon.
   */
  run(
    work: ClaimedWork,
    claimedMs: number,
    releaseSignal: AbortSignal,
  ): Promise<number | undefined>;
}

interface Running {
  readonly ended: Promise<void>;
  readonly release: AbortController;
}

/** The milliseconds between claims after notifications, which many processes receive at once. */
const betweenWakesMs = 100;

export class WorkSlots {
  readonly #options: WorkSlotsOptions;
  readonly #name = randomUUID();
  #highestLease = 0n;
  readonly #running = new Set<Running>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #poll: NodeJS.Timeout;
  #claiming: Promise<void> | undefined;
  #mustClaimAgain = false;
  #wake: NodeJS.Timeout | undefined;

  constructor(options: WorkSlotsOptions) {
    this.#options = options;
    this.#poll = setInterval(() => this.#look(), options.times.pollEveryMs);
    this.#fill();
  }

  /** Claims work, in case new work exists. */
  wake(): void {
    if (this.#wake !== undefined) return;
    this.#fill();
    this.#wake = this.#later(betweenWakesMs, () => {
      this.#wake = undefined;
      this.#fill();
    });
  }

  /** Waits for all running work. After `stopping` aborts, no further work is claimed. */
  async emptied(): Promise<void> {
    clearInterval(this.#poll);
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#claiming;
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  /** Claims work at intervals, in case a notification is missed. */
  #look(): void {
    if (this.#running.size < this.#options.atOnce) this.#fill(false);
    else void this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    const { sql, kind } = this.#options;
    // An error is ignored: if the database is unreachable, the next claim reports it.
    const silent = await countSilentWork(sql, kind).catch(() => 0);
    // Makes room for half of the work of silent workers, because other processes make room for it
    // too.
    const running = [...this.#running];
    const unasked = running.filter(({ release }) => !release.signal.aborted);
    const missing = Math.ceil(silent / 2) - (running.length - unasked.length);
    for (const { release } of unasked.slice(0, Math.max(0, missing))) release.abort();
  }

  #later(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #fill(waits = true): void {
    const { atOnce, stopping, mayBegin } = this.#options;
    if (stopping.aborted || this.#running.size >= atOnce || !mayBegin()) return;
    if (this.#claiming !== undefined) {
      this.#mustClaimAgain ||= waits;
      return;
    }
    this.#claiming = this.#claim(waits).finally(() => {
      this.#claiming = undefined;
      if (!this.#mustClaimAgain) return;
      this.#mustClaimAgain = false;
      this.#fill();
    });
  }

  async #claim(waits: boolean): Promise<void> {
    const { sql, log, kind, atOnce, times } = this.#options;
    const claimedMs = performance.now();
    const free = atOnce - this.#running.size;
    try {
      const claimer = { name: this.#name, highestLease: String(this.#highestLease), waits };
      for (const work of await claimWork(sql, kind, free, times.leaseMs, claimer)) {
        const lease = BigInt(work.lease);
        if (lease > this.#highestLease) this.#highestLease = lease;
        this.#run(work, claimedMs);
      }
    } catch (error) {
      // The next claim shows whether the database is reachable again. If this claim took work but
      // its answer was lost, the next claim gets that work again.
      log.warn({ err: error, kind }, 'no work could be claimed');
    }
  }

  #run(work: ClaimedWork, claimedMs: number): void {
    const release = new AbortController();
    const ended = this.#options.run(work, claimedMs, release.signal).then((againMs) => {
      this.#running.delete(running);
      if (againMs !== undefined && !this.#options.stopping.aborted) {
        this.#later(againMs, () => this.#fill());
      }
      this.#fill();
    });
    const running = { ended, release };
    this.#running.add(running);
  }
}
