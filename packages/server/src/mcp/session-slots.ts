/**
 * How many sessions an organization may hold, and who waits for them. First come, first served. A trial takes all that
 * it needs at once: trials that each hold a part of it would wait for each other for ever.
 */
import type { CallBudget } from './call-budget.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpLimits } from './mcp-limits.ts';

interface Organization {
  held: number;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly count: number;
  enter(): void;
}

export class SessionSlots {
  readonly #limits: McpLimits;
  readonly #endOneIdle: (organizationId: string) => boolean;
  readonly #organizations = new Map<string, Organization>();

  constructor(limits: McpLimits, endOneIdle: (organizationId: string) => boolean) {
    this.#limits = limits;
    this.#endOneIdle = endOneIdle;
  }

  /** Takes a slot; what it returns gives it back, once. */
  async take(organizationId: string, budget: CallBudget): Promise<() => void> {
    const organization = this.#of(organizationId);
    const { maxWaitingPerOrganization: mostWaiting } = this.#limits;
    if (!this.#fits(organization, 1) && organization.waiting.length >= mostWaiting) {
      throw this.#tooMany();
    }
    try {
      return await this.#takeAll(organizationId, organization, 1, budget.broken);
    } catch (error) {
      throw error instanceof McpFailure && error.code === 'TIMEOUT' ? this.#tooMany() : error;
    }
  }

  /** Takes so many slots together, for as long as the caller waits; more than there can be are as many as there are. */
  async takeTogether(
    organizationId: string,
    count: number,
    signal: AbortSignal,
  ): Promise<() => void> {
    signal.throwIfAborted();
    if (count === 0) return () => undefined;
    const wanted = Math.min(count, this.#limits.maxSessionsPerOrganization);
    let leave: () => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    left.catch(() => undefined);
    try {
      return await this.#takeAll(organizationId, this.#of(organizationId), wanted, left);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** A session became idle: whoever waits may have its place. */
  wake(organizationId: string): void {
    const waiting = this.#organizations.get(organizationId)?.waiting.length ?? 0;
    if (waiting > 0) this.#endOneIdle(organizationId);
  }

  #of(organizationId: string): Organization {
    const known = this.#organizations.get(organizationId) ?? { held: 0, waiting: [] };
    this.#organizations.set(organizationId, known);
    return known;
  }

  async #takeAll(
    organizationId: string,
    organization: Organization,
    count: number,
    left: Promise<never>,
  ): Promise<() => void> {
    if (organization.waiting.length === 0 && this.#fits(organization, count)) {
      organization.held += count;
    } else await this.#wait(organizationId, organization, count, left);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#giveBack(organizationId, organization, count);
    };
  }

  async #wait(
    organizationId: string,
    organization: Organization,
    count: number,
    left: Promise<never>,
  ): Promise<void> {
    let hasEntered = false;
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      enter = () => {
        hasEntered = true;
        resolve();
      };
    });
    const waiter = { count, enter };
    organization.waiting.push(waiter);
    for (let ended = 0; ended < count && this.#endOneIdle(organizationId); ) ended += 1;
    try {
      await Promise.race([turn, left]);
    } catch (error) {
      if (hasEntered) this.#giveBack(organizationId, organization, count);
      else {
        organization.waiting.splice(organization.waiting.indexOf(waiter), 1);
        this.#letIn(organization);
      }
      throw error;
    }
  }

  #giveBack(organizationId: string, organization: Organization, count: number): void {
    organization.held -= count;
    this.#letIn(organization);
    if (organization.held === 0) this.#organizations.delete(organizationId);
  }

  #letIn(organization: Organization): void {
    for (;;) {
      const next = organization.waiting[0];
      if (next === undefined || !this.#fits(organization, next.count)) return;
      organization.waiting.shift();
      organization.held += next.count;
      next.enter();
    }
  }

  #fits({ held }: Organization, count: number): boolean {
    return held + count <= this.#limits.maxSessionsPerOrganization;
  }

  #tooMany(): McpFailure {
    return new McpFailure(
      'RATE_LIMITED',
      'Your organization has too many calls to MCP servers under way; try again later.',
      { reason: 'TOO_MANY_SESSIONS', limit: this.#limits.maxSessionsPerOrganization },
    );
  }
}
