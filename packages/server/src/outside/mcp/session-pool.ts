/**
 * Open sessions that later calls reuse, one for each identity of a target; concurrent calls share a
 * session. An idle session is ended after a while. The sessions of each organization are limited:
 * at the limit an idle session is ended, or the caller waits until its own deadline. Organizations
 * never wait for each other.
 */
import type { CallBudget } from './call-budget.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { McpTarget } from './mcp-target.ts';
import { SessionSlots } from './session-slots.ts';

export type Opener = (target: McpTarget, signal: AbortSignal) => Promise<McpConnection>;

export interface SessionLease {
  readonly connection: McpConnection;
  /** True if the connection was already open before this call. */
  readonly isWarm: boolean;
  /** Gives the session back; pass `isSpent` as true if no later call may use it. */
  release(isSpent: boolean): void;
}

interface Entry {
  readonly target: McpTarget;
  readonly connection: Promise<McpConnection>;
  readonly giveUp: AbortController;
  readonly release: () => void;
  readonly openedAtMs: number;
  isOpen: boolean;
  isEnding: boolean;
  users: number;
  idleTimer: NodeJS.Timeout | undefined;
}

export class SessionPool {
  readonly #open: Opener;
  readonly #limits: McpLimits;
  readonly #slots: SessionSlots;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(open: Opener, limits: McpLimits) {
    this.#open = open;
    this.#limits = limits;
    this.#slots = new SessionSlots(limits, (organizationId) => this.#endOneIdle(organizationId));
  }

  get size(): number {
    return this.#entries.size;
  }

  async lease(target: McpTarget, budget: CallBudget): Promise<SessionLease> {
    let entry = this.#usable(target.identity);
    const isWarm = entry?.isOpen === true;
    if (entry === undefined) {
      const release = await this.#slots.take(target.organizationId, budget);
      // While this call waited for a slot, another call may have opened the session.
      entry = this.#usable(target.identity);
      if (entry === undefined) entry = this.#add(target, release);
      else release();
    }
    const leased = entry;
    leased.users += 1;
    clearTimeout(leased.idleTimer);
    try {
      const connection = await Promise.race([leased.connection, budget.broken]);
      return {
        connection,
        isWarm,
        release: (isSpent) => this.#giveBack(leased, isSpent || connection.lost !== undefined),
      };
    } catch (error) {
      // When one of several callers gives up, the others continue to use the session. If there are
      // no
      // others and the session is still being opened, the opening is aborted.
      if (leased.users === 1 && !leased.isOpen) leased.giveUp.abort(error);
      this.#giveBack(leased, !leased.isOpen && leased.users === 1);
      throw error;
    }
  }

  /**
   * Takes a slot for a session that only one caller uses. It counts towards the same limit as a
   * shared session.
   */
  takeSlot(organizationId: string, budget: CallBudget): Promise<() => void> {
    return this.#slots.take(organizationId, budget);
  }

  takeSlotsTogether(
    organizationId: string,
    count: number,
    signal: AbortSignal,
  ): Promise<() => void> {
    return this.#slots.takeTogether(organizationId, count, signal);
  }

  forget(serverId: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.target.serverId === serverId) this.#retire(entry);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of this.#entries.values()) {
      entry.users = 0;
      entry.giveUp.abort(new Error('The service is stopping.'));
      this.#retire(entry);
    }
    while (this.#closing.size > 0) await Promise.allSettled([...this.#closing]);
  }

  #usable(identity: string): Entry | undefined {
    const entry = this.#entries.get(identity);
    if (entry === undefined) return undefined;
    if (performance.now() - entry.openedAtMs <= this.#limits.sessionMaxMs) return entry;
    this.#retire(entry);
    return undefined;
  }

  #add(target: McpTarget, release: () => void): Entry {
    if (this.#isClosed) {
      release();
      throw new Error('The service is stopping.');
    }
    const giveUp = new AbortController();
    const entry: Entry = {
      target,
      connection: this.#open(target, giveUp.signal),
      giveUp,
      release,
      openedAtMs: performance.now(),
      isOpen: false,
      isEnding: false,
      users: 0,
      idleTimer: undefined,
    };
    this.#entries.set(target.identity, entry);
    entry.connection.then(
      (connection) => {
        entry.isOpen = true;
        // A session that is lost while idle would fail the next call, so it is removed at once.
        connection.onlost = () => this.#retire(entry);
        if (connection.lost !== undefined) this.#retire(entry);
      },
      () => this.#retire(entry),
    );
    return entry;
  }

  #giveBack(entry: Entry, isSpent: boolean): void {
    entry.users -= 1;
    if (isSpent) this.#retire(entry);
    if (entry.users > 0) return;
    if (this.#entries.get(entry.target.identity) !== entry) {
      this.#end(entry);
      return;
    }
    entry.idleTimer = setTimeout(() => this.#retire(entry), this.#limits.sessionIdleMs);
    entry.idleTimer.unref();
    this.#slots.wake(entry.target.organizationId);
  }

  /** Gives the session to no further call. The session ends when its last user is done. */
  #retire(entry: Entry): void {
    if (this.#entries.get(entry.target.identity) === entry) {
      this.#entries.delete(entry.target.identity);
    }
    if (entry.users <= 0) this.#end(entry);
  }

  #end(entry: Entry): void {
    clearTimeout(entry.idleTimer);
    if (entry.isEnding) return;
    entry.isEnding = true;
    const closing = entry.connection
      .then((connection) => connection.close())
      .catch(() => undefined)
      .finally(() => {
        entry.release();
        this.#closing.delete(closing);
      });
    this.#closing.add(closing);
  }

  #endOneIdle(organizationId: string): boolean {
    for (const entry of this.#entries.values()) {
      if (entry.target.organizationId !== organizationId || entry.users > 0) continue;
      this.#retire(entry);
      return true;
    }
    return false;
  }
}
