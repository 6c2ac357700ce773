/** The length of a lease, the interval of its prolongations, and the longest wait at a stop. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly prolongEveryMs: number;
  /**
   * Interval of checking whether the leases are still valid, by which holders learn of the end of
   * their group.
   */
  readonly lookEveryMs: number;
  /** Interval of checking the clock of this process. */
  readonly beatEveryMs: number;
  /** A process that was paused for longer gives up all its leases. */
  readonly longestStandstillMs: number;
  /** Interval of looking for work without a notification. */
  readonly pollEveryMs: number;
  /** Longest time for running attempts to end at a stop. */
  readonly longestEndMs: number;
}

export const defaultLeaseTimes: LeaseTimes = {
  leaseMs: 5000,
  prolongEveryMs: 800,
  lookEveryMs: 400,
  beatEveryMs: 200,
  longestStandstillMs: 2000,
  pollEveryMs: 1000,
  longestEndMs: 5000,
};
