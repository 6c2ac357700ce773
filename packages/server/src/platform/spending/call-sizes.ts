/**
 * The largest calls of each model in this process. Under a credit limit, calls run one at a time
 * until one was answered with its token counts. So if a provider counts more tokens than a
 * request's size suggests, only one call is sent before that is known.
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
    // A rejected call, or one without token counts, gives no information about the size.
    if (!usage.inputTokens && !usage.outputTokens) return;
    this.#seen.set(model, largerCall(this.of(model), requestBytes, usage));
    this.#turns.wake(model);
  }

  inTurn<Result>(model: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(model, call, { signal });
  }
}
