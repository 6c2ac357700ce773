/** The use and spending of an organization on one UTC day. */
export interface SpendingOfDay {
  readonly day: string;
  readonly counters: readonly {
    readonly name: string;
    readonly used: number;
    readonly reserved: number;
    /** Null for no limit; absent if this installation has no limit of that name. */
    readonly allowed?: number | null;
  }[];
  readonly ledger: readonly {
    readonly kind: string;
    readonly model: string;
    /** The number of trials for the kind of trials, and of model calls for every other kind. */
    readonly steps: number;
    /** The sum over steps that reported their tokens. */
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly credits: number;
    /** The number of steps of unknown cost. */
    readonly unpriced: number;
  }[];
}
