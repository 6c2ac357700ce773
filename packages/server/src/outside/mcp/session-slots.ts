/**
 * How many sessions an organization may hold, and who waits for them. First come, first served. A trial takes all that
 * it needs at once: trials that each hold a part of it would wait for each other for ever. Whoever has to wait ends
 * idle sessions, which gives their slots back.
 */
import { Semaphore, TooManyWaiting } from '@proofmark/domain';
import type { CallBudget } from './call-budget.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpLimits } from './mcp-limits.ts';

export class SessionSlots {
  readonly #limits: McpLimits;
  readonly #endOneIdle: (organizationId: string) => boolean;
  readonly #slots: Semaphore;

  constructor(limits: McpLimits, endOneIdle: (organizationId: string) => boolean) {
    this.#limits = limits;
    this.#endOneIdle = endOneIdle;
    this.#slots = new Semaphore(limits.maxSessionsPerOrganization);
  }

  /** Takes a slot; what it returns gives it back, once. */
  async take(organizationId: string, { signal }: CallBudget): Promise<() => void> {
    try {
      return await this.#slots.acquire(organizationId, {
        signal,
        mostWaiting: this.#limits.maxWaitingPerOrganization,
        onWait: () => void this.#endOneIdle(organizationId),
      });
    } catch (error) {
      const waitedTooLong = error instanceof McpFailure && error.code === 'TIMEOUT';
      throw waitedTooLong || error instanceof TooManyWaiting ? this.#tooMany() : error;
    }
  }

  /** Takes so many slots together, for as long as the caller waits; more than there can be are as many as there are. */
  async takeTogether(
    organizationId: string,
    wanted: number,
    signal: AbortSignal,
  ): Promise<() => void> {
    signal.throwIfAborted();
    if (wanted === 0) return () => undefined;
    const count = Math.min(wanted, this.#limits.maxSessionsPerOrganization);
    const onWait = () => {
      for (let ended = 0; ended < count && this.#endOneIdle(organizationId); ) ended += 1;
    };
    return this.#slots.acquire(organizationId, { count, signal, onWait });
  }

  /** A session became idle: whoever waits may have its place. */
  wake(organizationId: string): void {
    if (this.#slots.waiting(organizationId) > 0) this.#endOneIdle(organizationId);
  }

  #tooMany(): McpFailure {
    return new McpFailure(
      'RATE_LIMITED',
      'Your organization has too many calls to MCP servers under way; try again later.',
      { reason: 'TOO_MANY_SESSIONS', limit: this.#limits.maxSessionsPerOrganization },
    );
  }
}
