/** What a provider may cost us. */
export interface ModelLimits {
  /** From sending a request to the last byte of its answer. */
  readonly requestMs: number;
  /** No request is sent again once this much time has passed since the first was sent. */
  readonly totalMs: number;
  /** How often one request is sent at most. */
  readonly sends: number;
  /** The wait before the second send; it doubles from send to send. */
  readonly firstWaitMs: number;
  /** The longest wait, also when the provider asks for more. */
  readonly longestWaitMs: number;
  /** Of one answer, after decompression. */
  readonly maxAnswerBytes: number;
  /** To one provider, where the operator says nothing else. */
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
