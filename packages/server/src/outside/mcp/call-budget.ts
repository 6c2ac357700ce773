/**
 * The remaining time and bytes of one call, counted across all its requests. The call ends at its
 * deadline, when its caller aborts, or when a limit is exceeded, which is reported with `fail`. The
 * clock stops while we answer a request of the server.
 */
import { Deadline } from '@proofmark/domain';
import { tooLarge } from './explain-mcp-error.ts';
import { afterAnswer, McpFailure } from './mcp-failure.ts';

export class CallBudget extends Deadline {
  /** Whether the server has sent anything in response to one of the call's requests. */
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
