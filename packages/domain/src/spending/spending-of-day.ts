/** What an organization used and spent on one UTC day. */
export interface SpendingOfDay {
  readonly day: string;
  readonly counters: readonly {
    readonly name: string;
    readonly used: number;
    readonly reserved: number;
    /** Null where there is no limit; absent where this installation states none of that name. */
    readonly allowed?: number | null;
  }[];
  readonly ledger: readonly {
    readonly kind: string;
    readonly model: string;
    /** Trials, and calls of a model for everything else. */
    readonly steps: number;
    /** Without those of steps that did not tell. */
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly credits: number;
    /** Steps whose cost is not known. */
    readonly unpriced: number;
  }[];
}
