export interface LeaseTimes {
  readonly leaseMs: number;
  readonly prolongEveryMs: number;
  /**
   * The interval of checking whether leases are still valid. The end of a group is noticed by this
   * check.
   */
  readonly lookEveryMs: number;
  readonly beatEveryMs: number;
  /** A process that was paused for longer than this gives up all its leases. */
  readonly longestStandstillMs: number;
  /** The interval of polling for work, in case a notification is missed. */
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
