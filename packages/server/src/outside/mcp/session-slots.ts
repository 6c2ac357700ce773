/**
 * The limit on the sessions of an organization, with a queue in order of arrival. A trial takes all
 * its slots at once: trials that had only some of their slots would wait for each other forever. A
 * caller that waits ends idle sessions, which frees their slots.
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

  /** Takes a slot. The returned function frees it; further calls of that function do nothing. */
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

  /**
   * Takes this many slots together, but never more than the limit. Waits until the slots are free
   * or the caller gives up.
   */
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

  /**
   * Called when a session becomes idle: if a caller waits, the idle session is ended to free its
   * slot.
   */
  wake(organizationId: string): void {
    if (this.#slots.waiting(organizationId) > 0) this.#endOneIdle(organizationId);
  }

  #tooMany(): McpFailure {
    return new McpFailure(
      'RATE_LIMITED',
      'Your organization has too many calls to MCP servers in progress; try again later.',
      { reason: 'TOO_MANY_SESSIONS', limit: this.#limits.maxSessionsPerOrganization },
    );
  }
}
