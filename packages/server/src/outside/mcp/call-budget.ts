/**
 * What one call may still cost: time and bytes, counted over everything that is done for it, however many
 * requests that takes. It ends by its deadline, by whoever asked for it, or by a breach that `fail` reports. While we
 * ourselves are asked something, its time stands still.
 */
import { Deadline } from '@proofmark/domain';
import { tooLarge } from './explain-mcp-error.ts';
import { afterAnswer, McpFailure } from './mcp-failure.ts';

export class CallBudget extends Deadline {
  /** Whether anything came back so far, for whatever was asked. */
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

  /** What came back so far. */
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
