/**
 * The limits of time that the author of a case states, for the case and for its steps. They stand still while we ourselves
 * wait: for a place of a provider or a server, for credits, because we were asked to, or for whoever grades.
 */
import { Deadline } from '@proofmark/domain';
import type { Clock } from './paused-clocks.ts';

export class StatedLimits implements Clock {
  readonly #running = new Set<Deadline>();
  #holds = 0;

  begin(timeoutMs: number, signal: AbortSignal): Deadline {
    const limit = new Deadline(timeoutMs, () => new Error('A stated time is over.'), signal);
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

/** That of one step, while it is played. */
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

  /** As below, where it was the answer of this server; nothing while there is time. */
  lateServer(name: string): string | undefined {
    if (!this.isOver) return undefined;
    return this.whileAwaited(`the answer of the server ${JSON.stringify(name)}`);
  }

  /** A sentence without its capital, for the end of another. */
  whileAwaited(what: string): string {
    return `${this.#allowed}, and they were over while ${what} was awaited.`;
  }
}

export function inSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
