/** The duration of a lease, the interval of its prolongations, and the longest wait at a stop. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly prolongEveryMs: number;
  /**
   * Interval of checking whether the leases are still valid, by which holders learn of the end of
   * their group.
   */
  readonly lookEveryMs: number;
  /** The interval at which the process checks its clock. */
  readonly beatEveryMs: number;
  /** A process that was paused for longer than this gives up all its leases. */
  readonly longestStandstillMs: number;
  /** The interval of looking for work without a notification. */
  readonly pollEveryMs: number;
  /** The longest time that a stop waits for running attempts to end. */
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
