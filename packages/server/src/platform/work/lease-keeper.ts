/**
 * Keeps the leases of this process alive and notices which of them are lost: taken over by another worker after a
 * silence, or ended with their group. Who lost a lease stops at once. A lease that could not be prolonged is given up by
 * the clock of this process, before another worker may take it over and whatever the question that is under way does.
 * All are given up when the process stood still for longer than a moment, though the leases may still stand: whatever
 * runs against a clock meanwhile would take our own silence for that of the other side.
 */
import type { Database } from '../database/database.ts';
import { defaultLeaseTimes, type LeaseTimes } from './lease-times.ts';
import type { HeldWork } from './store/leased-work.ts';
import { standingLeases } from './store/standing-leases.ts';

export class LeaseLost extends Error {
  /** Whether it was lost because the database or this process was away, which is not the fault of the work. */
  readonly wasAway: boolean;

  constructor(message: string, wasAway = false) {
    super(message);
    this.wasAway = wasAway;
  }
}

export interface Lease {
  readonly held: HeldWork;
  /** Aborted with a LeaseLost when the lease is lost. */
  readonly signal: AbortSignal;
  drop(): void;
}

interface Kept {
  readonly held: HeldWork;
  readonly controller: AbortController;
  /** When the question was sent that last made the lease certain. */
  sureMs: number;
}

export class LeaseKeeper {
  readonly #database: Pick<Database, 'tenant'>;
  readonly #times: LeaseTimes;
  readonly #held = new Map<string, Kept>();
  #beat: NodeJS.Timeout | undefined;
  #beatMs = 0;
  /** When the look was begun that is under way. */
  #lookingSinceMs: number | undefined;
  #lookedMs = 0;
  #prolongedMs = 0;

  constructor(database: Pick<Database, 'tenant'>, times: LeaseTimes = defaultLeaseTimes) {
    this.#database = database;
    this.#times = times;
  }

  /** `sureMs` is when the claim was sent, by the clock of this process. */
  hold(held: HeldWork, sureMs: number): Lease {
    const controller = new AbortController();
    this.#held.set(held.lease, { held, controller, sureMs });
    if (this.#beat === undefined) {
      this.#beatMs = performance.now();
      this.#lookedMs = this.#beatMs;
      this.#beat = setInterval(() => this.#onBeat(), this.#times.beatEveryMs);
    }
    return {
      held,
      signal: controller.signal,
      drop: () => {
        this.#held.delete(held.lease);
        if (this.#held.size > 0) return;
        clearInterval(this.#beat);
        this.#beat = undefined;
      },
    };
  }

  /** It is due before the deadline of any call that was under way, so after a standstill it is the first to be heard. */
  #onBeat(): void {
    const { leaseMs, beatEveryMs, longestStandstillMs, lookEveryMs } = this.#times;
    const nowMs = performance.now();
    const stoodStillMs = nowMs - this.#beatMs;
    this.#beatMs = nowMs;
    // Two beats ahead, so that also a beat that comes late comes in time.
    const latestMs = leaseMs - 2 * beatEveryMs;
    for (const { controller, sureMs } of this.#held.values()) {
      if (stoodStillMs >= longestStandstillMs) {
        controller.abort(new LeaseLost('This process stood still for a while.', true));
      } else if (nowMs - sureMs >= latestMs) {
        controller.abort(new LeaseLost('The lease could not be prolonged in time.', true));
      }
    }
    // A look that does not come back is not waited for; what it says is heard whenever it comes.
    const isLooking =
      this.#lookingSinceMs !== undefined && nowMs - this.#lookingSinceMs < leaseMs / 3;
    if (!isLooking && nowMs - this.#lookedMs >= lookEveryMs) void this.#look(nowMs);
  }

  async #look(startedMs: number): Promise<void> {
    const asked = [...this.#held.values()].filter(({ controller }) => !controller.signal.aborted);
    this.#lookedMs = startedMs;
    if (asked.length === 0) return;
    this.#lookingSinceMs = startedMs;
    const prolong = startedMs - this.#prolongedMs >= this.#times.prolongEveryMs;
    try {
      const standing = await standingLeases(
        this.#database,
        asked.map(({ held }) => held),
        prolong ? this.#times.leaseMs : undefined,
      );
      const left = asked.filter((one) => !this.#hear(one, standing, startedMs));
      // What could not be prolonged is tried again with the next look.
      if (prolong && left.length === 0) this.#prolongedMs = startedMs;
    } catch {
      // What that means for each lease is decided by how long it lasts.
    }
    if (this.#lookingSinceMs === startedMs) this.#lookingSinceMs = undefined;
  }

  /** Whether nothing is left to be asked about it. */
  #hear(one: Kept, standing: ReadonlyMap<string, boolean>, startedMs: number): boolean {
    const isProlonged = standing.get(one.held.lease);
    if (isProlonged) one.sureMs = Math.max(one.sureMs, startedMs);
    else if (isProlonged === undefined) {
      one.controller.abort(new LeaseLost('The lease was taken over, or its group has ended.'));
    }
    return isProlonged !== false;
  }
}
