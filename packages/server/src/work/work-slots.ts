/** The slots of one kind of work in this process: claims as much as there are free slots, and again when one is free. */
import type { Database } from '../storage/database/database.ts';
import { type ClaimedWork, claimWork } from '../storage/work/leased-work.ts';
import type { LeaseTimes } from './lease-times.ts';
import type { WorkLog } from './work-kind.ts';

export interface WorkSlotsOptions {
  readonly database: Pick<Database, 'sql'>;
  readonly log: WorkLog;
  readonly times: LeaseTimes;
  readonly kind: string;
  readonly atOnce: number;
  readonly stopping: AbortSignal;
  /** Never throws. Says after how long the work may be claimed again, where it was given back. */
  run(work: ClaimedWork, claimedMs: number): Promise<number | undefined>;
}

/** Of what many processes hear at once, each asks so often. */
const betweenWakesMs = 100;

export class WorkSlots {
  readonly #options: WorkSlotsOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #poll: NodeJS.Timeout;
  #claiming: Promise<void> | undefined;
  #mustClaimAgain = false;
  #wake: NodeJS.Timeout | undefined;

  constructor(options: WorkSlotsOptions) {
    this.#options = options;
    this.#poll = setInterval(() => this.#fill(), options.times.pollEveryMs);
    this.#fill();
  }

  /** There may be work. */
  wake(): void {
    if (this.#wake !== undefined) return;
    this.#fill();
    this.#wake = this.#later(betweenWakesMs, () => {
      this.#wake = undefined;
      this.#fill();
    });
  }

  /** Waits for all that is under way; nothing more is claimed once `stopping` is aborted. */
  async emptied(): Promise<void> {
    clearInterval(this.#poll);
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#claiming;
    await Promise.all(this.#running);
  }

  #later(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #fill(): void {
    const { atOnce, stopping } = this.#options;
    if (stopping.aborted || this.#running.size >= atOnce) return;
    if (this.#claiming !== undefined) {
      this.#mustClaimAgain = true;
      return;
    }
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined;
      if (!this.#mustClaimAgain) return;
      this.#mustClaimAgain = false;
      this.#fill();
    });
  }

  async #claim(): Promise<void> {
    const { database, log, kind, atOnce, times } = this.#options;
    const claimedMs = performance.now();
    const free = atOnce - this.#running.size;
    try {
      const claimed = await claimWork(database.sql, kind, free, times.leaseMs);
      for (const work of claimed) this.#run(work, claimedMs);
    } catch (error) {
      // The next look tells whether the database is back.
      log.warn({ err: error, kind }, 'no work could be claimed');
    }
  }

  #run(work: ClaimedWork, claimedMs: number): void {
    const running = this.#options.run(work, claimedMs).then((againMs) => {
      this.#running.delete(running);
      if (againMs !== undefined && !this.#options.stopping.aborted) {
        this.#later(againMs, () => this.#fill());
      }
      this.#fill();
    });
    this.#running.add(running);
  }
}
