/** How long a lease lasts without a word of its holder, how often the holder says one, and how long a stop waits for it. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly prolongEveryMs: number;
  /** How often it is asked whether the leases still stand, which is how the end of a group reaches its holders. */
  readonly lookEveryMs: number;
  /** How often the clock of this process is looked at. */
  readonly beatEveryMs: number;
  /** A process that stood still for longer gives up all it holds. */
  readonly longestStandstillMs: number;
  /** How often work is looked for without having heard of any. */
  readonly pollEveryMs: number;
  /** Attempts that are under way at a stop have so long to come to an end. */
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
