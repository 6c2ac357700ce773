/**
 * The remaining time and bytes of one call, counted over all its requests. It ends by its deadline,
 * by its caller, or by a breach that `fail` reports. Its clock is stopped while our side answers a
 * request of the server.
 */
import { Deadline } from '@proofmark/domain';
import { tooLarge } from './explain-mcp-error.ts';
import { afterAnswer, McpFailure } from './mcp-failure.ts';

export class CallBudget extends Deadline {
  /** True once anything came back for any of its requests. */
  isAnswered = false;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(timeoutMs: number, maxBytes: number, caller?: AbortSignal) {
    const reasonWhenOver = (budget: Deadline) => {
      const failure = timeoutFailure(timeoutMs);
      return budget instanceof CallBudget && budget.isAnswered ? afterAnswer(failure) : failure;
    };
    super(timeoutMs, reasonWhenOver, caller);
    this.#maxBytes = maxBytes;
  }

  /** The bytes that came back so far. */
  get bytes(): number {
    return this.#bytes;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    const refusal = tooLarge(this.#maxBytes);
    this.fail(refusal);
    throw refusal;
  }
}

function timeoutFailure(timeoutMs: number): McpFailure {
  return new McpFailure('TIMEOUT', 'The server did not answer in time.', { timeoutMs });
}
