/**
 * The time limits that a case's author sets for the case and its steps. They are paused while
 * Proofmark waits for a slot of a provider or server, for credits, for a grader, or because a
 * provider or server asked it to wait.
 */
import { Deadline } from '@proofmark/domain';
import type { Clock } from './paused-clocks.ts';

export class StatedLimits implements Clock {
  readonly #running = new Set<Deadline>();
  #holds = 0;

  begin(timeoutMs: number, signal: AbortSignal): Deadline {
    const limit = new Deadline(
      timeoutMs,
      () => new Error('The time limit that the case or the step states has passed.'),
      signal,
    );
    for (let held = 0; held < this.#holds; held += 1) limit.hold();
    this.#running.add(limit);
    return limit;
  }

  end(limit: Deadline): void {
    limit.end();
    this.#running.delete(limit);
  }

  hold(): void {
    this.#holds += 1;
    for (const limit of this.#running) limit.hold();
  }

  goOn(): void {
    this.#holds -= 1;
    for (const limit of this.#running) limit.goOn();
  }
}

export class StepLimit {
  readonly #limit: Deadline;
  readonly #allowed: string;

  constructor(stepId: string, timeoutMs: number, limit: Deadline) {
    this.#limit = limit;
    this.#allowed = `the step ${JSON.stringify(stepId)} allows ${inSeconds(timeoutMs)}`;
  }

  get isOver(): boolean {
    return this.#limit.isOver;
  }

  /**
   * Returns a sentence if the limit passed while this server's response was awaited; undefined
   * while there is time.
   */
  lateServer(name: string): string | undefined {
    if (!this.isOver) return undefined;
    return this.whileAwaited(`the answer of the server ${JSON.stringify(name)}`);
  }

  /** The end of a sentence, so it begins with a lower-case letter. */
  whileAwaited(what: string): string {
    return `${this.#allowed}, but ${what} did not arrive within that time.`;
  }
}

export function inSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
