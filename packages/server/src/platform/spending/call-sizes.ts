/**
 * The largest calls of each model that this process has seen. Until one call was answered with its
 * tokens, calls under a cap run one at a time: a provider that counts more tokens than the request
 * suggests is then detected by one call and not by many. Later answers may still be longer.
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
    // A rejected call, or one without known tokens, gives no size.
    if (!usage.inputTokens && !usage.outputTokens) return;
    this.#seen.set(model, largerCall(this.of(model), requestBytes, usage));
    this.#turns.wake(model);
  }

  inTurn<Result>(model: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(model, call, { signal });
  }
}
