/** Limits on the cost of a provider. */
export interface ModelLimits {
  /** From sending a request to the last byte of its answer. */
  readonly requestMs: number;
  /** The time after the first send beyond which a request is not sent again. */
  readonly totalMs: number;
  /** The most sends of one request. */
  readonly sends: number;
  /** The wait before the second send; it doubles from send to send. */
  readonly firstWaitMs: number;
  /** The longest wait, even if the provider asks for more. */
  readonly longestWaitMs: number;
  /** For one answer, after decompression. */
  readonly maxAnswerBytes: number;
  /** The default of concurrent requests to one provider. */
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
