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
    /** The number of trials if the kind is a trial, otherwise the number of model calls. */
    readonly steps: number;
    /** The sum over steps that reported their tokens. */
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly credits: number;
    readonly unpriced: number;
  }[];
}
