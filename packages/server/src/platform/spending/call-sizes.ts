/**
 * How large the calls of each model were, as far as this process has seen. Until the first one was answered with its
 * tokens, calls under a cap go one at a time: a provider that counts more than a request lets expect is then found out by
 * one call, not by many. How much longer a later answer is, nobody knows.
 */
import {
  type CallSize,
  largerCall,
  noCallSeen,
  Semaphore,
  type StepUsage,
} from '@proofmark/domain';

export class CallSizes {
  readonly #seen = new Map<string, CallSize>();
  readonly #turns = new Semaphore((model) => (this.#seen.has(model) ? Infinity : 1));

  of(model: string): CallSize {
    return this.#seen.get(model) ?? noCallSeen;
  }

  note(model: string, requestBytes: number, usage: StepUsage): void {
    // A call that was refused, or of which nothing is known, tells nothing.
    if (!usage.inputTokens && !usage.outputTokens) return;
    this.#seen.set(model, largerCall(this.of(model), requestBytes, usage));
    this.#turns.wake(model);
  }

  inTurn<Result>(model: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(model, call, { signal });
  }
}
