/**
 * Sessions that belong to one user each, a trial above all, and are never shared with others: nothing that one of them
 * did is seen by another. Opening them is cheap: what the first one taught about the server is used by the next, sockets
 * are those of the guarded fetch, and the child processes of a server are begun ahead. A child that was begun ahead
 * serves one session or none, and ends with whoever opens the sessions.
 */
import { CallBudget } from './call-budget.ts';
import type { ConnectionHints } from './connection-hints.ts';
import type { OwnSession, OwnSessions } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { McpTarget } from './mcp-target.ts';
import { type ConnectionMaker, openConnection } from './open-connection.ts';
import type { OnServerEvent } from './server-events.ts';
import type { OnServerRequest } from './server-requests.ts';
import { SessionPool } from './session-pool.ts';
import { StdioTransport } from './stdio-transport.ts';
import { useSession } from './use-session.ts';

export class OwnedSessions implements OwnSessions {
  readonly #maker: ConnectionMaker;
  readonly #hints: ConnectionHints = {};
  readonly #open = new Set<Session>();
  readonly #closing = new Set<Promise<void>>();
  #ahead: StdioTransport | undefined;

  constructor(maker: ConnectionMaker) {
    this.#maker = maker;
  }

  open(
    target: McpTarget,
    onServerRequest?: OnServerRequest,
    onServerEvent?: OnServerEvent,
  ): OwnSession {
    const maker: ConnectionMaker = {
      ...this.#maker,
      hints: this.#hints,
      takeChild: () => this.#takeAhead(),
      ...(onServerRequest && { onServerRequest }),
      ...(onServerEvent && { onServerEvent }),
    };
    const session = new Session(maker, target, () => this.#open.delete(session));
    this.#open.add(session);
    return session;
  }

  prepare({ address }: McpTarget): void {
    if (address.kind !== 'stdio' || this.#ahead?.isAlive === true) return;
    if (this.#ahead !== undefined) this.#end(this.#ahead);
    // Whether somebody wants its lines is known when it is taken.
    const child = new StdioTransport(address, this.#maker.limits);
    this.#ahead = child;
    // Where it cannot be started, whoever opens a session hears so.
    child.begin().catch(() => undefined);
  }

  async close(): Promise<void> {
    const child = this.#ahead;
    this.#ahead = undefined;
    if (child !== undefined) this.#end(child);
    await Promise.all([...this.#open].map((session) => session.close()));
    while (this.#closing.size > 0) await Promise.all(this.#closing);
  }

  /** One that has ended meanwhile is no evidence of anything: another is started. */
  #takeAhead(): StdioTransport | undefined {
    const child = this.#ahead;
    this.#ahead = undefined;
    if (child === undefined || child.isAlive) return child;
    this.#end(child);
    return undefined;
  }

  #end(child: StdioTransport): void {
    const closing = child.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** A pool for one: it opens the session when it is first used, and anew where it was lost or refused. */
class Session implements OwnSession {
  readonly #pool: SessionPool;
  readonly #target: McpTarget;
  readonly #limits: McpLimits;
  readonly #onClosed: () => void;

  constructor(maker: ConnectionMaker, target: McpTarget, onClosed: () => void) {
    this.#limits = { ...maker.limits, ...asLongAsWanted };
    this.#target = target;
    this.#onClosed = onClosed;
    this.#pool = new SessionPool(async (_, signal) => {
      const { callMs, maxCallBytes } = this.#limits;
      const budget = new CallBudget(target.timeoutMs ?? callMs, maxCallBytes, signal);
      try {
        return await openConnection(maker, target, budget);
      } finally {
        budget.end();
      }
    }, this.#limits);
  }

  use: OwnSession['use'] = (work, options) =>
    useSession(this.#pool, this.#target, this.#limits, work, options?.signal);

  async close(): Promise<void> {
    await this.#pool.close();
    this.#onClosed();
  }
}

/** Whoever owns a session ends it; the slots of the organization were taken by its owner. */
const asLongAsWanted = {
  sessionIdleMs: 2 ** 31 - 1,
  sessionMaxMs: Number.POSITIVE_INFINITY,
  maxSessionsPerOrganization: Number.POSITIVE_INFINITY,
};
