/**
 * Keeps the leases of this process alive and notices which of them are lost: taken by another worker after a silence,
 * or ended by a cancel. Who lost a lease stops at once. When the database cannot be asked for as long as a lease
 * lasts, all are given up: another worker may hold them by then. All are given up too when the process stood still for
 * longer than a moment, though the leases may still stand: whatever runs against a clock meanwhile, a call of a server
 * above all, would take our own silence for that of the other side.
 */
import type { Database } from '../storage/database/database.ts';
import {
  type HeldSlice,
  leaseName,
  leaseSeconds,
  standingLeases,
} from '../storage/eval-runs/eval-slices.ts';

export class LeaseLost extends Error {
  /** Whether it was lost because the database or this process was away, which is no trial's doing. */
  readonly wasAway: boolean;

  constructor(message: string, wasAway = false) {
    super(message);
    this.wasAway = wasAway;
  }
}

export interface Lease {
  readonly held: HeldSlice;
  /** Aborted with a LeaseLost when the lease is lost. */
  readonly signal: AbortSignal;
  drop(): void;
}

const lookEveryMs = 400;
const prolongEveryMs = 1500;
const beatEveryMs = 250;
const longestStandstillMs = 2000;

export class LeaseKeeper {
  readonly #database: Database;
  readonly #held = new Map<
    string,
    { held: HeldSlice; controller: AbortController; sureMs: number }
  >();
  #timer: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;
  /** While it looks there is no timer; it sets the next one itself. */
  #isLooking = false;
  #prolongedMs = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  hold(held: HeldSlice): Lease {
    const name = leaseName(held);
    const controller = new AbortController();
    this.#held.set(name, { held, controller, sureMs: performance.now() });
    if (!this.#isLooking) this.#timer ??= setTimeout(() => void this.#look(), lookEveryMs);
    this.#beat ??= this.#watchClock();
    return {
      held,
      signal: controller.signal,
      drop: () => {
        this.#held.delete(name);
        if (this.#held.size > 0) return;
        clearTimeout(this.#timer);
        clearInterval(this.#beat);
        this.#timer = undefined;
        this.#beat = undefined;
      },
    };
  }

  /** It is due before the deadline of any call that was under way, so after a standstill it is the first to be heard. */
  #watchClock(): NodeJS.Timeout {
    let beatMs = performance.now();
    return setInterval(() => {
      const stoodStillMs = performance.now() - beatMs;
      beatMs = performance.now();
      if (stoodStillMs < longestStandstillMs) return;
      for (const { controller } of this.#held.values()) {
        controller.abort(new LeaseLost('This process stood still for a while.', true));
      }
    }, beatEveryMs);
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    const asked = [...this.#held];
    const startedMs = performance.now();
    const prolong = startedMs - this.#prolongedMs >= prolongEveryMs;
    let databaseIsAway = false;
    try {
      const standing = await standingLeases(
        this.#database,
        asked.map(([, { held }]) => held),
        prolong,
      );
      let left = 0;
      for (const [name, one] of asked) {
        const isProlonged = standing.get(name);
        if (isProlonged) one.sureMs = startedMs;
        else if (isProlonged === false) left += 1;
        else one.controller.abort(new LeaseLost('The lease of this slice was taken back.'));
      }
      // What could not be prolonged is tried again with the next look.
      if (prolong && left === 0) this.#prolongedMs = startedMs;
    } catch {
      // What that means for each lease is decided by how long it lasts.
      databaseIsAway = true;
    }
    for (const [, { controller, sureMs }] of asked) {
      if (performance.now() - sureMs > leaseSeconds * 1000) {
        controller.abort(
          new LeaseLost('The lease could not be prolonged in time.', databaseIsAway),
        );
      }
    }
    this.#isLooking = false;
    if (this.#held.size > 0) this.#timer = setTimeout(() => void this.#look(), lookEveryMs);
  }
}
