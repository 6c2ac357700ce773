export interface ModelLimits {
  readonly requestMs: number;
  /** A request is not sent again when this time has passed since it was first sent. */
  readonly totalMs: number;
  readonly sends: number;
  /** The wait before the second send; it doubles with each further send. */
  readonly firstWaitMs: number;
  /** The longest wait between two sends, even if the provider asks for more. */
  readonly longestWaitMs: number;
  /** The maximum size of one answer, after decompression. */
  readonly maxAnswerBytes: number;
  /** The maximum number of concurrent requests to one provider, if its configuration sets none. */
  readonly requestsAtOnce: number;
}

export const modelLimits: ModelLimits = {
  requestMs: 120_000,
  totalMs: 300_000,
  sends: 4,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  maxAnswerBytes: 8 * 1024 * 1024,
  requestsAtOnce: 8,
};
