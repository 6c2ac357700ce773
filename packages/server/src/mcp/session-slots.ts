/** How many sessions an organization may hold, and who waits for one. First come, first served. */
import type { CallBudget } from './call-budget.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpLimits } from './mcp-limits.ts';

interface Organization {
  held: number;
  readonly waiting: (() => void)[];
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
    const organization = this.#organizations.get(organizationId) ?? { held: 0, waiting: [] };
    this.#organizations.set(organizationId, organization);
    if (organization.held >= this.#limits.maxSessionsPerOrganization) {
      if (organization.waiting.length >= this.#limits.maxWaitingPerOrganization) {
        throw this.#tooMany();
      }
      await this.#wait(organizationId, organization, budget);
    } else organization.held += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#giveBack(organizationId, organization);
    };
  }

  /** A session became idle: whoever waits may have its place. */
  wake(organizationId: string): void {
    const waiting = this.#organizations.get(organizationId)?.waiting.length ?? 0;
    if (waiting > 0) this.#endOneIdle(organizationId);
  }

  async #wait(
    organizationId: string,
    organization: Organization,
    budget: CallBudget,
  ): Promise<void> {
    let next: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      next = resolve;
    });
    organization.waiting.push(next);
    this.#endOneIdle(organizationId);
    try {
      await Promise.race([turn, budget.broken]);
    } catch (error) {
      const place = organization.waiting.indexOf(next);
      if (place === -1) this.#giveBack(organizationId, organization);
      else organization.waiting.splice(place, 1);
      throw error instanceof McpFailure && error.code === 'TIMEOUT' ? this.#tooMany() : error;
    }
  }

  /** The slot goes to the next in line, or back. */
  #giveBack(organizationId: string, organization: Organization): void {
    const next = organization.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    organization.held -= 1;
    if (organization.held === 0) this.#organizations.delete(organizationId);
  }

  #tooMany(): McpFailure {
    return new McpFailure(
      'RATE_LIMITED',
      'Your organization has too many calls to MCP servers under way; try again later.',
      { reason: 'TOO_MANY_SESSIONS', limit: this.#limits.maxSessionsPerOrganization },
    );
  }
}
