/**
 * Keeps the leases of this process and notices lost ones: another worker has taken over, or the
 * group has ended. A lease that could not be prolonged is given up by the clock of this process,
 * before another worker may take it over. After a long pause of the process all leases are given
 * up, because timers in running work would mistake the pause for silence of a server.
 */
import type { Database } from '../database/database.ts';
import { defaultLeaseTimes, type LeaseTimes } from './lease-times.ts';
import type { HeldWork } from './store/leased-work.ts';
import { standingLeases } from './store/standing-leases.ts';

export class LeaseLost extends Error {
  /**
   * True if the lease was lost because the database was unreachable or this process was paused. The
   * work is then not at fault.
   */
  readonly wasAway: boolean;

  constructor(message: string, wasAway = false) {
    super(message);
    this.wasAway = wasAway;
  }
}

export interface Lease {
  readonly held: HeldWork;
  /** Aborts with a LeaseLost when the lease is lost. */
  readonly signal: AbortSignal;
  drop(): void;
}

interface Kept {
  readonly held: HeldWork;
  readonly controller: AbortController;
  /** The time at which the last query that confirmed the lease was sent. */
  sureMs: number;
}

export class LeaseKeeper {
  readonly #database: Pick<Database, 'tenant'>;
  readonly #times: LeaseTimes;
  readonly #held = new Map<string, Kept>();
  #beat: NodeJS.Timeout | undefined;
  #beatMs = 0;
  /** The start of the running check; undefined if none is running. */
  #lookingSinceMs: number | undefined;
  #lookedMs = 0;
  #prolongedMs = 0;

  constructor(database: Pick<Database, 'tenant'>, times: LeaseTimes = defaultLeaseTimes) {
    this.#database = database;
    this.#times = times;
  }

  /**
   * Starts to keep a lease. `sureMs` is the time at which the claim was sent, by the clock of this
   * process.
   */
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

  /**
   * This timer is due before the deadline of any running call. After a pause of the process it
   * therefore fires first.
   */
  #onBeat(): void {
    const { leaseMs, beatEveryMs, longestStandstillMs, lookEveryMs } = this.#times;
    const nowMs = performance.now();
    const stoodStillMs = nowMs - this.#beatMs;
    this.#beatMs = nowMs;
    // Leases are given up two beats early, so that even a late beat is in time.
    const latestMs = leaseMs - 2 * beatEveryMs;
    for (const { controller, sureMs } of this.#held.values()) {
      if (stoodStillMs >= longestStandstillMs) {
        controller.abort(
          new LeaseLost(
            'This process was suspended for so long that it lost the lease on its work.',
            true,
          ),
        );
      } else if (nowMs - sureMs >= latestMs) {
        controller.abort(
          new LeaseLost(
            'This process lost the lease on its work, because the lease could not be extended in time.',
            true,
          ),
        );
      }
    }
    // A check without an answer does not delay the next one; a late answer still counts.
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
      const left = asked.filter((one) => !this.#applyStanding(one, standing, startedMs));
      // Leases that could not be prolonged are tried again at the next check.
      if (prolong && left.length === 0) this.#prolongedMs = startedMs;
    } catch {
      // After a failed check, the remaining time of each lease decides whether it is lost.
    }
    if (this.#lookingSinceMs === startedMs) this.#lookingSinceMs = undefined;
  }

  /** Applies the answer to one lease. Returns false if the lease must be prolonged again. */
  #applyStanding(one: Kept, standing: ReadonlyMap<string, boolean>, startedMs: number): boolean {
    const isProlonged = standing.get(one.held.lease);
    if (isProlonged) one.sureMs = Math.max(one.sureMs, startedMs);
    else if (isProlonged === undefined) {
      one.controller.abort(
        new LeaseLost('Another worker took over this work, or the work was ended.'),
      );
    }
    return isProlonged !== false;
  }
}
